import { simplePdf } from "../pages/simple-pdf.js";

/** What a quotation of a page is: found as one of these, or none; `altered` is shown with the words that follow. */
type Expected = "exact" | "typography" | "loose" | "found" | "none" | `altered: ${string}`;

export interface HardPage {
  name: string;
  /** As the server sends it. Default: `text/html; charset=utf-8`. */
  type?: string;
  /** Default: UTF-8 of `text`. */
  bytes?: Uint8Array;
  text: string;
  quotes: readonly (readonly [quote: string, expected: Expected])[];
}

const filler =
  "<p>The museum of the valley was opened by the carpenters' guild and shows tools, boats and nets from three centuries. Visitors come by the narrow railway, which climbs along the river in summer, and walk the last part through the orchards of the lower village.</p>";
const hiddenBy = (attributes: string, css = "") =>
  `<html><head><style>${css}</style></head><body><h1>Mill</h1>${filler}<p ${attributes}>The mill was sold for a single coin to the miller of Arn.</p><p>The wheel of the mill turns twice a minute when the gate is open.</p></body></html>`;
const SOLD = "The mill was sold for a single coin to the miller of Arn.";
const TURNS = "The wheel of the mill turns twice a minute when the gate is open.";
const hidden = (name: string, attributes: string, css = ""): HardPage => ({
  name: `hidden by ${name}`,
  text: hiddenBy(attributes, css),
  quotes: [
    [SOLD, "none"],
    [TURNS, "exact"],
  ],
});
const seen = (name: string, attributes: string, css = ""): HardPage => ({
  name: `seen with ${name}`,
  text: hiddenBy(attributes, css),
  quotes: [
    [SOLD, "exact"],
    [TURNS, "exact"],
  ],
});
const line = (name: string, html: string, ...quotes: HardPage["quotes"][number][]): HardPage => ({
  name,
  text: `<html><body>${filler}<p>${html}</p></body></html>`,
  quotes,
});

const HIDDEN: readonly HardPage[] = [
  hidden("an attribute", "hidden"),
  hidden("an attribute with a value", 'hidden="false"'),
  hidden("display", 'style="display:none"'),
  hidden("display in capitals", 'STYLE="DISPLAY : NONE ;"'),
  hidden("display with a comment", 'style="display:/* x */none"'),
  hidden("visibility", 'style="color:red;visibility:hidden"'),
  hidden("a later declaration", 'style="display:block;display:none"'),
  hidden("opacity", 'style="opacity:0"'),
  hidden("opacity in percent", 'style="opacity: 0%"'),
  hidden("a size of nothing", 'style="font-size:0"'),
  hidden("a size of no pixels", 'style="font-size: 0px; line-height: 0"'),
  hidden("a place outside", 'style="position:absolute;left:-9999px"'),
  hidden("an indent", 'style="text-indent:-9999px;overflow:hidden"'),
  hidden("a clip", 'style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)"'),
  hidden("a clip with blanks", 'style="position:absolute;clip:rect(1px 1px 1px 1px)"'),
  hidden("a path that clips", 'style="clip-path: inset(50%)"'),
  hidden("a box without height", 'style="height:0;overflow:hidden"'),
  hidden("no colour", 'style="color:transparent"'),
  hidden("no colour, as numbers", 'style="color:rgba(0, 0, 0, 0)"'),
  hidden("the colour of its ground", 'style="color:#fff;background-color:#fff"'),
  hidden("a class", 'class="x"', ".x { display: none }"),
  hidden("a class that is important", 'class="x" style="display:block"', ".x{display:none!important}"),
  hidden("an id", 'id="x"', "#x{visibility:hidden}"),
  hidden(
    "a class for readers of screens",
    'class="sr-only"',
    ".sr-only{position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);border:0}",
  ),
  hidden("a class without opacity", 'class="ghost"', ".ghost{opacity:0}"),
  hidden("a class of no size", 'class="tiny"', ".tiny{font-size:0}"),
  hidden("two classes", 'class="a b"', ".a.b{display:none}"),
  hidden("a rule for screens", 'class="x"', "@media screen{.x{display:none}}"),
  hidden("a rule behind a comment", 'class="x"', "/* .x{display:block} */ .x{display:none}"),
  hidden("a selector of several elements", 'class="x"', "body p.x{display:none}"),
  hidden("a selector of a child", 'class="x"', "body > .x{display:none}"),
  hidden("a selector of an attribute", 'data-state="off"', '[data-state="off"]{display:none}'),
  seen("another attribute", 'data-state="on"', '[data-state="off"]{display:none}'),
  seen("another parent", 'class="x"', ".menu .x{display:none}"),
  seen("aria-hidden", 'aria-hidden="true"'),
  seen("hidden until it is found", 'hidden="until-found"'),
  seen("a later declaration", 'style="display:none;display:block"'),
  seen("a style that moves it in", 'style="opacity:0;transform:translateY(20px)"'),
  seen("a class that fades in", 'class="fade"', ".fade{opacity:0;transition:opacity .4s}"),
  seen("a rule for paper", 'class="x"', "@media print{.x{display:none}}"),
  seen("a later rule", 'class="x"', ".x{display:none}.x{display:block}"),
  seen(
    "words of a gradient",
    'class="g"',
    ".g{color:transparent;background-clip:text;background-image:linear-gradient(red,blue)}",
  ),
  seen("an opacity of a half", 'style="opacity:0.5"'),
  seen("a height", 'style="height:200px;overflow:hidden"'),
  seen("a place inside", 'style="position:absolute;left:-10px"'),
  {
    name: "hidden elements",
    text: `<body>${filler}<noscript><p>Switch on the scripts of your program to see the timetable.</p></noscript><template><p>The template says that the mill burned in the spring.</p></template><dialog><p>The dialog says that the mill is for rent again.</p></dialog><noframes>Frames are needed to read the history of the mill here.</noframes><noembed>The player is needed to hear the bell of the mill.</noembed><textarea>Write to the miller about the price of flour today</textarea><select><option>The long option about barley and the short one about rye</select><svg><title>A drawing of the mill and of its pond in winter</title><desc>It was drawn by the daughter of the miller in ink</desc></svg><!-- The comment says that the weir is rotten and must go --><script type="application/json">{"a":"The state of the page holds the income of the miller"}</script><iframe>The frame inside holds a map of the mills of the valley</iframe><p>${TURNS}</p>`,
    quotes: [
      ["Switch on the scripts of your program to see the timetable.", "none"],
      ["The template says that the mill burned in the spring.", "none"],
      ["The dialog says that the mill is for rent again.", "none"],
      ["Frames are needed to read the history of the mill here.", "none"],
      ["The player is needed to hear the bell of the mill.", "none"],
      ["Write to the miller about the price of flour today", "none"],
      ["A drawing of the mill and of its pond in winter", "none"],
      ["The comment says that the weir is rotten and must go", "none"],
      ["The state of the page holds the income of the miller", "none"],
      [TURNS, "exact"],
    ],
  },
  {
    name: "a closed part that a click opens",
    text: `<body>${filler}<details><summary>When?</summary><p>The mill grinds on Tuesdays from nine until the pond is empty.</p></details>`,
    quotes: [["The mill grinds on Tuesdays from nine until the pond is empty.", "exact"]],
  },
  {
    name: "what the search for the main part leaves out",
    text: `<body><article><h1>Ointment</h1>${filler.repeat(3)}<p>The ointment is <span class="remark">not</span> safe for children under the age of three years.</p>${filler}</article>`,
    quotes: [
      ["The ointment is safe for children under the age of three years.", "altered: is not safe"],
      ["The ointment is not safe for children under the age of three years.", "exact"],
    ],
  },
];

const NUMBERS: readonly HardPage[] = [
  line(
    "numbers that go on",
    "The climb is graded 1½ by the club. The mass is about 1.5 × 10³ tonnes in all. The town has a population of 5 million people. Prices rose by 5 % over the year. The wall is some 10 – 20 metres high there. The hall admits people aged 18+ on Fridays. The plank is exactly 5 1/2 inches wide. The road climbs at a slope of 12° there. The firm paid fines of $5 million in May. The paper sold for 14 € on the market.",
    ["The climb is graded 1", "none"],
    ["The mass is about 1.5", "none"],
    ["The town has a population of 5", "none"],
    ["Prices rose by 5", "none"],
    ["The wall is some 10", "none"],
    ["The hall admits people aged 18", "none"],
    ["The plank is exactly 5", "none"],
    ["20 metres high there. The hall admits people aged", "none"],
    ["1/2 inches wide. The road climbs at a slope", "none"],
    ["5 million in May. The paper sold for 14 €", "none"],
    ["The paper on the market sold for 14", "none"],
    ["million people. Prices rose by 5 % over the year", "none"],
    ["The climb is graded 1½ by the club.", "exact"],
    ["The mass is about 1.5 × 10³ tonnes in all.", "exact"],
    ["The town has a population of 5 million people.", "exact"],
    ["Prices rose by 5 % over the year.", "exact"],
    ["The wall is some 10–20 metres high there.", "found"],
    ["The plank is exactly 5 1/2 inches wide.", "exact"],
  ),
  line(
    "digits, signs and separators",
    "The lake lies 443 000 steps from the sea. The frost came at −4.2 °C in May. It costs 1,260 crowns a year. Version 2.10 was shipped before 2.1 by mistake. The date is 03.05.2024 in the book. The ratio was 3:1 in the first year.",
    ["The lake lies 443000 steps from the sea.", "altered: 443 000"],
    ["The frost came at 4.2 °C in May.", "altered: −4.2"],
    ["It costs 1.260 crowns a year.", "altered: 1,260"],
    ["Version 2.1 was shipped before 2.1 by mistake.", "altered: 2.10"],
    ["The date is 05.03.2024 in the book.", "altered: 03.05.2024"],
    ["The ratio was 31 in the first year.", "altered: 3:1"],
    ["The frost came at -4.2 °C in May.", "typography"],
    ["The lake lies 443\u00a0000 steps from the sea.", "typography"],
  ),
  line(
    "units",
    "The pipe carries 5 m³/s of water in spring. The plant gives 30 MW to the town. A dose of 5 µg is given to the calf. The boat makes 12 kn in calm water. Signals arrive after 20 ms at the mast.",
    ["The pipe carries 5 m³ of water in spring.", "altered: 5 m³/s"],
    ["The pipe carries 5 m", "none"],
    ["The plant gives 30 mW to the town.", "none"],
    ["A dose of 5 mg is given to the calf.", "altered: 5 µg"],
    ["A dose of 5 μg is given to the calf.", "typography"],
    ["The boat makes 12 km in calm water.", "altered: 12 kn"],
    ["Signals arrive after 20 s at the mast.", "altered: 20 ms"],
  ),
  line(
    "names that go on",
    "The first server was written in C++ by two students. The second was written in Node.js by their teacher. Visitors to the island in winter can't cross the ice. The gas of the cellar is CO₂ from the vats. The soap is sugar-free and non-toxic.",
    ["The first server was written in C", "none"],
    ["The second was written in Node", "none"],
    ["Visitors to the island in winter can", "none"],
    ["The gas of the cellar is CO", "none"],
    ["The soap is sugar-free and non", "none"],
    ["toxic. The first server was written in C++", "none"],
    ["The first server was written in C++ by two students.", "exact"],
  ),
];

const ALTERED: readonly HardPage[] = [
  line(
    "one word, one digit, one not",
    "The bridge was closed to lorries in March 2019 after an inspection had found cracks in two of its arches. The council has not voted on the repair, which would cost 1.4 million crowns. We're open on Mondays, and we'll sell bread to everybody who comes before noon.",
    ["The bridge was closed to lorries in March 2018 after an inspection had found cracks", "altered: March 2019"],
    ["The bridge was opened to lorries in March 2019 after an inspection had found cracks", "altered: was closed"],
    ["The bridge was not closed to lorries in March 2019 after an inspection", "altered: was closed"],
    ["The council has voted on the repair, which would cost 1.4 million crowns.", "altered: has not voted"],
    ["The council has not voted on the repair, which would cost 14 million crowns.", "altered: 1.4 million"],
    ["The council has not voted on the repair, which would cost 1.4 billion crowns.", "altered: 1.4 million"],
    ["after an inspection had found cracks in three of its arches", "altered: two of its arches"],
    ["Were open on Mondays, and we'll sell bread to everybody who comes", "altered: We're open"],
    ["We're open on Mondays, and well sell bread to everybody who comes before noon.", "altered: we'll sell"],
    ["The council has not voted on the repair ... in two of its arches", "none"],
  ),
  line(
    "parts that changed places",
    "The replacement buses leave from the railway station, not from the bus station beside the market.",
    [
      "The replacement buses leave from the bus station beside the market, not from the railway station.",
      "altered: from the railway station, not from the bus station",
    ],
  ),
  line(
    "stitched from two places",
    "The ferry to the outer islands sails every morning at six. It was built in the yard of Lom in 1971 and carries ninety people. In winter it sails only when the ice of the sound allows it.",
    ["The ferry to the outer islands sails only when the ice of the sound allows it.", "none"],
    ["The ferry to the outer islands was built in the yard of Lom in 1971", "none"],
    ["The ferry to the outer islands sails every morning at six. In winter it sails only when the ice", "none"],
    ["The ferry to the outer islands sails every morning at six ... in 1971 and carries ninety people", "found"],
    ["It carries ninety people ... The ferry to the outer islands sails every morning", "none"],
  ),
];

const STRUCTURES: readonly HardPage[] = [
  line(
    "elements inside of words and sentences",
    'The <b>old</b> har<wbr>bour of E&shy;dding&shy;ton is <em>im</em>passable<sup><a href="#n1">[1]</a></sup> at low <span>tide</span>, says<br>the <a href="/pilot">pilot</a>.',
    ["The old harbour of Eddington is impassable at low tide, says the pilot.", "loose"],
    ["The old harbour of Eddington is passable at low tide, says the pilot.", "altered: impassable"],
  ),
  line(
    "names and values that style keeps apart",
    "<span>Distance</span><span>17.4&nbsp;km</span><span>Ascent</span><span>1,260&nbsp;m</span> <strong>4,512</strong><span>visitors came to the fair in the last year</span>",
    ["17.4 km", "typography"],
    ["1,260 m", "typography"],
    ["4,512 visitors came to the fair in the last year", "exact"],
  ),
  line(
    "struck words",
    "The price of the <del>blue</del> <ins>green</ins> lamp with the long cable was lowered in spring.",
    ["The price of the green lamp with the long cable was lowered in spring.", "none"],
    ["lamp with the long cable was lowered in spring", "exact"],
  ),
  line(
    "quotation marks of an element",
    "The captain said <q>the ice will hold until the end of March</q> and went below.",
    ['The captain said "the ice will hold until the end of March" and went below.', "typography"],
    ["the ice will hold until the end of March", "exact"],
  ),
  line(
    "code",
    "Set <code>LAKE_DEPTH_MAX</code> to the number of metres before you start the pump.",
    ["Set LAKE_DEPTH_MAX to the number of metres before you start the pump.", "exact"],
    ["Set `LAKE_DEPTH_MAX` to the number of metres before you start the pump.", "loose"],
    ["Set LAKE_DEPTH_MIN to the number of metres before you start the pump.", "altered: LAKE_DEPTH_MAX"],
  ),
  {
    name: "a table",
    text: `<body>${filler}<table><caption>Catch of the three boats</caption><tr><th rowspan=2>Boat</th><th colspan=2>Tonnes</th></tr><tr><th>2022</th><th>2023</th></tr><tr><td>Anna Maria of Lysvik</td><td>450</td><td>38</td></tr><tr><td>Old Friend of Arn</td><td>61</td><td>7.5</td></tr></table>`,
    quotes: [
      ["Anna Maria of Lysvik 450 38", "loose"],
      ["Anna Maria of Lysvik | 450 | 38", "found"],
      ["Anna Maria of Lysvik 45038", "none"],
      ["Old Friend of Arn 61 75", "none"],
      ["Old Friend of Arn 450 38", "none"],
    ],
  },
  {
    name: "lists and definitions",
    text: `<body>${filler}<ol><li>Boil the milk of the morning with a leaf of bay.<li>Let it cool in the cellar until the evening comes.</ol><ul><li>flour from the lower mill<li>eggs from the farm at the weir</ul><dl><dt>Weir</dt><dd>A low wall across a river that raises the water for a mill.</dd></dl>`,
    quotes: [
      ["Boil the milk of the morning with a leaf of bay.", "exact"],
      ["flour from the lower mill eggs from the farm at the weir", "loose"],
      ["Weir A low wall across a river that raises the water for a mill.", "typography"],
      ["Weir: A low wall across a river that raises the water for a mill.", "loose"],
    ],
  },
  {
    name: "quotations in each other",
    text: `<body>${filler}<blockquote><p>He wrote to his wife:<blockquote><p>The river has taken the lower bridge and both of the boats.</blockquote><p>She never answered the letter that he sent from there.</blockquote>`,
    quotes: [
      ["The river has taken the lower bridge and both of the boats.", "exact"],
      ["He wrote to his wife: The river has taken the lower bridge and both of the boats.", "found"],
    ],
  },
  {
    name: "readings of characters",
    text: `<body><p>この<ruby>湖<rp>(</rp><rt>みずうみ</rt><rp>)</rp></ruby>の<ruby>深<rt>ふか</rt></ruby>さは四十二メートルである。</p>`,
    quotes: [
      ["この湖の深さは四十二メートルである。", "exact"],
      ["この湖(みずうみ)の深(ふか)さは四十二メートルである。", "exact"],
      ["この湖の深さは四十三メートルである。", "altered: 四十二"],
    ],
  },
  {
    name: "many marks of direction",
    text: `<body dir=rtl>${filler}<p>افتتح \u202bالميناء\u202c القديم في عام 1971 بعد ثلاث سنوات من العمل المتواصل.</p><p>הספרייה העירונית נפתחה לקהל בשנת 1954 ליד הנמל הישן.</p>`,
    quotes: [
      ["افتتح الميناء القديم في عام 1971 بعد ثلاث سنوات من العمل المتواصل.", "found"],
      ["افتتح الميناء القديم في عام 1972 بعد ثلاث سنوات من العمل المتواصل.", "altered: 1971"],
      ["הספרייה העירונית נפתחה לקהל בשנת 1954 ליד הנמל הישן.", "exact"],
    ],
  },
  {
    name: "Chinese with signs of full width",
    text: `<body><p>该桥全长１２００米，于1998年5月建成通车，连接东、西两岸。</p>${filler}`,
    quotes: [
      ["于1998年5月建成通车,连接东、西两岸。", "typography"],
      ["于1999年5月建成通车，连接东、西两岸。", "altered: 1998"],
      ["该桥全长12００米，于1998年5月建成通车", "none"],
    ],
  },
];

const FILES: readonly HardPage[] = [
  {
    name: "a feed with HTML, as CDATA and escaped",
    type: "application/rss+xml",
    text: `<?xml version="1.0"?><!-- The treasurer asked that this line be kept from the members --><rss><channel><item><title>Hall &amp; Garden</title><description><![CDATA[<p>The hall is <b>closed</b> on 6&nbsp;and 13 May<!-- for the boiler has burst again, as everybody knows -->.</p><p style="display:none">The secretary has resigned over the matter of the boiler.</p>]]></description></item><item><description>&lt;p&gt;The garden&#8217;s gate is &lt;i&gt;open&lt;/i&gt; from nine to five.&lt;/p&gt;&lt;p hidden&gt;The key of the gate hangs behind the second pot.&lt;/p&gt;</description></item></channel></rss>`,
    quotes: [
      ["The hall is closed on 6 and 13 May.", "typography"],
      ["The garden’s gate is open from nine to five.", "exact"],
      ["The garden's gate is open from nine to six.", "altered: five"],
      ["The treasurer asked that this line be kept from the members", "none"],
      ["for the boiler has burst again, as everybody knows", "none"],
      ["The secretary has resigned over the matter of the boiler.", "none"],
      ["The key of the gate hangs behind the second pot.", "none"],
    ],
  },
  {
    name: "a feed with elements as they are",
    type: "application/atom+xml",
    text: `<feed><entry><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>The <em>pond</em> was drained in the first week of October.</p><p style="display:none">Nobody has told the herons about the pond so far.</p></div></content></entry></feed>`,
    quotes: [
      ["The pond was drained in the first week of October.", "exact"],
      ["Nobody has told the herons about the pond so far.", "none"],
    ],
  },
  {
    name: "JSON with HTML, escapes and text of its own",
    type: "application/json",
    text: JSON.stringify({
      rendered:
        '<p>The caf\u00e9 "De <b>Kluut</b>" is shut.</p><p style="display:none">Its owner has left the town by night.</p>',
      plain: 'Ice cream is sold "by the scoop" from the window\nat the back.',
      less: "Use the sign < for numbers below the limit of ten",
    }).replaceAll("\u00e9", "\\u00e9"),
    quotes: [
      ["The café “De Kluut” is shut.", "found"],
      ["Its owner has left the town by night.", "none"],
      ['Ice cream is sold "by the scoop" from the window at the back.', "found"],
      ["Use the sign < for numbers below the limit of ten", "exact"],
    ],
  },
  {
    name: "CSV",
    type: "text/csv",
    text: 'port,note,ships\nArn,"Closed to ships over 90 m, says the ""pilot""",412\nLom,Open in all winters since the new breakwater,38\n',
    quotes: [
      ['Closed to ships over 90 m, says the "pilot"', "typography"],
      ["Open in all winters since the new breakwater,38", "exact"],
      ["Open in all winters since the new breakwater,381", "none"],
      ["Closed to ships over 80 m, says the pilot", "altered: 90 m"],
    ],
  },
  {
    name: "Markdown",
    type: "text/markdown",
    text: "# Pump\n\nThe pump **must not** be run [dry](docs/dry.md), see `pump.conf`; it is ~~rarely~~ oiled.\n\n- clean the filter\n- close the valve before\n  you leave\n",
    quotes: [
      ["The pump must not be run dry, see pump.conf", "loose"],
      ["The pump must be run dry, see pump.conf", "altered: must not"],
      ["clean the filter close the valve before you leave", "loose"],
    ],
  },
  {
    name: "lines of a text",
    type: "text/plain",
    text: "The keepers were to wash the win-\ndows of the lantern each\nmorning, and to enter the\nwind in a well-\nknown book.\n",
    quotes: [
      ["The keepers were to wash the windows of the lantern each morning", "typography"],
      ["to enter the wind in a well-known book", "loose"],
      ["The keepers were to wash the windows of the lantern each evening", "altered: morning"],
    ],
  },
];

const DOCUMENTS: readonly HardPage[] = [
  {
    name: "a PDF whose sentences go on over its pages",
    type: "application/pdf",
    text: "",
    bytes: simplePdf([
      ["Report of the Harbour 2023", "The quay was rebuilt in three years and opened again in", "Page 1 of 3"],
      ["Report of the Harbour 2023", "the spring of 2021, when the first ferry came in. The moor-", "Page 2 of 3"],
      ["Report of the Harbour 2023", "ings of the yachts were moved to the western basin.", "Page 3 of 3"],
    ]),
    quotes: [
      ["The quay was rebuilt in three years and opened again in the spring of 2021", "typography"],
      ["The moorings of the yachts were moved to the western basin.", "typography"],
      ["The quay was rebuilt in three years and opened again in the spring of 2022", "altered: 2021"],
      ["Report of the Harbour 2023", "exact"],
    ],
  },
  {
    name: "a PDF whose pages begin alike and are no such pages",
    type: "application/pdf",
    text: "",
    bytes: simplePdf([
      ["Lom 450 tonnes of herring in 2022", "The fleet of Lom has eleven boats and a tug."],
      ["Arn 38 tonnes of herring in 2022", "The fleet of Arn has three boats and no tug."],
    ]),
    quotes: [
      ["Arn 38 tonnes of herring in 2022", "exact"],
      ["The fleet of Lom has eleven boats and a tug. Arn 38 tonnes of herring in 2022", "typography"],
    ],
  },
];

export const HARD_PAGES = [...HIDDEN, ...NUMBERS, ...ALTERED, ...STRUCTURES, ...FILES, ...DOCUMENTS];
