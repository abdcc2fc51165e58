import { expect, test } from "vitest";
import { findQuote } from "../../src/quotes/find-quote.js";
import { SearchablePage } from "../../src/quotes/searchable-page.js";

const foundOn = (page: string, quote: string) => findQuote(quote, [new SearchablePage(page)], [0]).found;

// What a page writes, and the same words as a model gives them.
test.each([
  [
    "blanks inside of guillemets",
    "Il dit « le sel est la langue du mont » et partit.",
    'Il dit "le sel est la langue du mont" et partit.',
  ],
  [
    "guillemets the other way",
    "Er sagte »das Salz ist die Zunge« und ging dann fort.",
    'Er sagte "das Salz ist die Zunge" und ging dann fort.',
  ],
  [
    "a blank before high punctuation",
    "Attention : la marée monte très vite ici !",
    "Attention: la marée monte très vite ici!",
  ],
  [
    "Japanese quotation marks",
    "町長は「子どもたちには申し訳ない」と述べた。",
    "町長は“子どもたちには申し訳ない”と述べた。",
  ],
  [
    "doubled quotation marks, as in CSV",
    'a,"The last skipper said ""never again"" and left the trade"',
    'The last skipper said "never again" and left the trade',
  ],
  [
    "escaped quotation marks, as in JSON",
    'it \\"sings\\" in gales above 24 metres a second',
    "it “sings” in gales above 24 metres a second",
  ],
  [
    "a line end in Chinese",
    "市民可拨打热线查询\n本街道的供水时间和水压。",
    "市民可拨打热线查询本街道的供水时间和水压。",
  ],
  [
    "blanks around Latin words in Chinese",
    "从 5 月 8 日起，使用 QY 系统的市民可以查询水压",
    "从5月8日起，使用QY系统的市民可以查询水压",
  ],
  [
    "a dash with blanks and one without",
    "The tax – a heavy one – was never paid again.",
    "The tax—a heavy one—was never paid again.",
  ],
  [
    "two hyphens for a dash",
    "The tax -- a heavy one -- was never paid again.",
    "The tax — a heavy one — was never paid again.",
  ],
  [
    "entities written twice, as in feeds",
    "the keeper&amp;#8217;s diary was found under the old floor",
    "the keeper's diary was found under the old floor",
  ],
  ["half-width Japanese", "ﾄｳｷｮｳﾄのカタカナ表記は半角で書かれている", "トウキョウトのカタカナ表記は半角で書かれている"],
  [
    "Arabic letters by their shapes",
    "ﺍﻟﺴﻼﻡ عليكم ورحمة الله وبركاته في هذا اليوم",
    "السلام عليكم ورحمة الله وبركاته في هذا اليوم",
  ],
  [
    "Arabic letters stretched",
    "الســـلام عليكم ورحمة الله وبركاته في هذا اليوم",
    "السلام عليكم ورحمة الله وبركاته في هذا اليوم",
  ],
  ["two signs for micro", "grains of 5 µm were found in every sample", "grains of 5 μm were found in every sample"],
])("typography: %s", (_, page, quote) => {
  expect(foundOn(page, quote)).toBe("typography");
  expect(foundOn(quote, page.replace(/^a,"|"$/g, ""))).toBe("typography");
});

test.each([
  [
    "elements inside of a line",
    "<p>The <b>herring fleet</b> of Lysvik sailed on <b>3 August</b>, a week early",
    "The herring fleet of Lysvik sailed on 3 August, a week early",
  ],
  [
    "a section of XML",
    "<d><![CDATA[The fleet of Lysvik sailed on]]> 3 August, a week early",
    "The fleet of Lysvik sailed on 3 August, a week early",
  ],
  [
    "an index behind a bracket",
    "Lime water, Ca(OH)₂, was added to clear the brine",
    "Lime water, Ca(OH)2, was added to clear the brine",
  ],
  [
    "a power with its mark",
    "some 3 × 10³ km² of forest burned in that summer",
    "some 3 × 10^3 km^2 of forest burned in that summer",
  ],
  [
    "raised notes",
    "The lake¹ has no outflow.² It froze in every winter^(a) but one",
    "The lake has no outflow. It froze in every winter but one",
  ],
  [
    "a Greek word at its end",
    "ΤΟ ΛΙΜΑΝΙ ΤΗΣ ΠΟΛΗΣ ΘΑ ΜΕΙΝΕΙ ΚΛΕΙΣΤΟ",
    "το λιμάνι της πόλης θα μείνει κλειστό".normalize("NFD").replaceAll("\u0301", ""),
  ],
  [
    "a link to a file beside it",
    "It is written in plain C and has [no dependencies](docs/deps.md#all) beyond the C library",
    "It is written in plain C and has no dependencies beyond the C library",
  ],
  [
    "the mark of a note, set off by a blank",
    "The castle burned in 1525, but was **not** wholly destroyed.[1] It stands",
    "The castle burned in 1525, but was not wholly destroyed. [1]",
  ],
  [
    "the mark that a source is asked for",
    "The steamer sank in 1871.[citation needed] A regular service began in 1904.",
    "The steamer sank in 1871. A regular service began in 1904.",
  ],
  [
    "names of links and a raised comma",
    "All **changes** of [FerroKV][repo] follow [a scheme][Keep a Log].[7]^(,)[9] They are told here.",
    "All changes of FerroKV follow a scheme. They are told here.",
  ],
  [
    "an address between words",
    "The port <https://port.example/a> will stay closed for nine weeks",
    "The port will stay closed for nine weeks",
  ],
])("loose: %s", (_, page, quote) => {
  expect(foundOn(page, quote)).toBe("loose");
});

test("a word goes on in the next line", () => {
  const page = "The keepers were to wash the win-\ndows of the Enthär\u2010\n  tungsanlage, forty-\none in all.";
  expect(foundOn(page, "were to wash the windows of the Enthärtungsanlage")).toBe("typography");
  expect(foundOn(page, "the Enthärtungsanlage, forty-one in all.")).toBe("loose");
  expect(foundOn("The Rhine-\nMain line was closed in May", "The RhineMain line was closed in May")).toBe("loose");
});

test.each([
  ["14,50 €", "1.14,50 €"],
  ["£1,260", "£1,260,500"],
  ["£1,260", "−£1,260"],
  ["$1,260", "A$1,260"],
  ["63.4 %", "163.4 %"],
])("a number with a sign for its unit: %s, and not of %s", (quote, other) => {
  expect(foundOn(`It was ${quote} then.`, quote)).toBe("exact");
  expect(foundOn(`It was ${other} then.`, quote)).toBe("not-found");
});

test("a number with its unit ends before the mark of a note", () => {
  expect(foundOn("It covers 148.2 square kilometres[2][3] and is drained.", "148.2 square kilometres")).toBe("exact");
  expect(foundOn("The lake froze in the winter of 2019[3] and thawed.", "The lake froze in the winter of 2019")).toBe(
    "exact",
  );
});

// What is left out of loose words, and changes what they say.
test.each([
  [
    "the number in brackets",
    "the program reads argv[1] **before** it opens a file",
    "the program reads argv[2] before it opens a file",
  ],
  [
    "the number of a note at the end",
    "the program reads **nothing** but the value of argv[1]. It ends then.",
    "the program reads nothing but the value of argv[2].",
  ],
  [
    "what stands in brackets behind brackets",
    "the value of **f[i](left.high)** is kept until the end of all",
    "the value of f[i](right.low) is kept until the end of all",
  ],
  [
    "the name in brackets behind brackets",
    "the **value** of grid[row][left] is kept until the end of all",
    "the value of grid[row][right] is kept until the end of all",
  ],
  [
    "an interval",
    "a mean of **15** [10, 20] days was seen in all the groups",
    "a mean of 15 [11, 20] days was seen in all the groups",
  ],
  [
    "the case of a unit",
    "The **plant** gives 5 MW to the grid in every month",
    "The plant gives 5 mW to the grid in every month",
  ],
  [
    "minutes and seconds",
    "The **arc** is 30′ wide when it is seen from there",
    "The arc is 30″ wide when it is seen from there",
  ],
  ["about", "The **boat** lost ~500 litres of fuel in the harbour", "The boat lost 500 litres of fuel in the harbour"],
  ["more than", ">5 of the **boats** were lost in the storm of May", "5 of the boats were lost in the storm of May"],
  [
    "a minus that begins it",
    "5 °C is the **mean** of the winters on the coast",
    "- 5 °C is the mean of the winters on the coast",
  ],
  [
    "a number of two cells",
    "| Lysvik **fleet** of | 38 | 450 | tonnes of herring |",
    "Lysvik fleet of 38 450 tonnes of herring",
  ],
  [
    "an element",
    "The **tag** called <b> is written around such words",
    "The tag called <i> is written around such words",
  ],
  ["Chinese figures", "**第一批** 共有 三 五 人参加了会议和讨论", "第一批共有三五人参加了会议和讨论"],
  ["a power of ten", "some **3** × 10³ boats were counted in the bay", "some 3 × 103 boats were counted in the bay"],
  [
    "a unit of a rate",
    "The **ferry** crosses the sound at no more than 17.4 km/h in summer",
    "The ferry crosses the sound at no more than 17.4 km",
  ],
  [
    "a price of a rate",
    "The **cheese** of the valley was sold in May for 14,50 €/kg",
    "The cheese of the valley was sold in May for 14,50 €",
  ],
  [
    "a raised figure of a long unit",
    "some **20** metres² of the wall were painted",
    "some 20 metres of the wall were painted",
  ],
])("altered in %s", (_, page, quote) => {
  expect(foundOn(page, quote)).toMatch(/^(?:altered|not-found)$/);
});

test("a word that says no is shown when it begins the sentence of an altered quotation", () => {
  const page = new SearchablePage("Hours. Do not feed the birds of the park without a permit. Bye.");
  const { found, span } = findQuote("feed the birds of the park with a permit", [page], [0]);
  expect(found).toBe("altered");
  expect(page.text.slice(span?.start, span?.end)).toBe("Do not feed the birds of the park without a permit");
});
