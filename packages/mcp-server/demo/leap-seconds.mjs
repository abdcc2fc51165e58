// A recorded topic: what the model searches, finds, reads and answers in three rounds. In the first it gets a number wrong,
// which the program finds; in the second it reads the page again and corrects it. One page it cites without reading it.
import { callTool, delay, grounded, json, search } from "@x/gemini-runner/testing";
import {
  claimOfDocuments,
  dataAskedFor,
  foldersIn,
  isWithoutWeb,
  plannedQueries,
  questionIn,
} from "./asked-beside.mjs";
import { PAGES } from "./pages.mjs";

export const QUESTION = "Are leap seconds being abolished, and could there be a negative one before that?";

/** What each round searches, what that finds, and what it then reads. */
const ROUNDS = [
  {
    searches: [
      ["leap second abolished 2035 CGPM resolution UTC", ["cgpm", "itu"]],
      ["how many leap seconds since 1972 TAI UTC offset", ["nist", "bulletin"]],
      ["leap second outage software midnight", ["cloudflare", "meta"]],
    ],
    reads: [{ name: "nist" }, { name: "cloudflare" }],
  },
  {
    searches: [
      ['CGPM resolution 4 2022 text "in, or before, 2035"', ["cgpm"]],
      ["negative leap second prediction Earth rotation faster melting ice", ["nature", "meta"]],
    ],
    reads: [{ name: "nist", find: "added so far" }, { name: "cgpm" }, { name: "nature" }],
  },
  {
    searches: [
      ["WRC-23 continuous UTC 2035 2040 existing equipment", ["itu"]],
      ["IERS Bulletin C UTC-TAI -37 s leap smear 24 hours", ["bulletin", "smear"]],
    ],
    reads: [{ name: "itu" }, { name: "bulletin" }],
  },
];

const SOURCES = ["cgpm", "itu", "nist", "bulletin", "nature", "cloudflare", "meta", "smear"];
const url = (name) => PAGES[name].url;
const sourceList = (names) =>
  names.map((name) => `${SOURCES.indexOf(name) + 1}. ${PAGES[name].title}. ${url(name)}`).join("\n");

/** The claims that a page says, in the words of the report and in those of the page. */
const quoted = {
  tolerance: {
    text: "The tolerated difference between UTC and UT1 will be raised in, or before, 2035; 2035 is the latest date, not a fixed one.",
    sources: ["cgpm"],
    quote: "the maximum value for the difference between UT1 and UTC will be increased in, or before, 2035",
    status: "supported",
  },
  count: (number) => ({
    text: `${number} leap seconds have been added since 1972, all of them positive.`,
    sources: ["nist"],
    quote: `The first was added on 30 June 1972, and ${number} have been added so far. All of them were positive.`,
    status: "supported",
  }),
  negative: {
    text: "A negative leap second will be needed by 2029.",
    sources: ["nature", "cgpm"],
    quote: "UTC as it is defined today needs a negative leap second by 2029",
    status: "disputed",
  },
};

const DRAFTS = [
  {
    verified: false,
    sources: ["cgpm", "itu", "nist", "cloudflare", "meta"],
    report: `Yes: leap seconds end in 2035 [1]. A negative one has never been needed [3].

## Why they exist

UTC is kept within 0.9 s of astronomical time. Since 1972, 22 seconds have been added for that [3].

## What they break

On New Year's Day 2017 one of them made lookups at Cloudflare fail [6]; Meta asks for an end to them [7].`,
    claims: [{ text: "Leap seconds end in 2035.", sources: ["cgpm"], status: "supported" }, quoted.count(22)],
    gaps: ["What the resolution says word for word.", "Whether a negative leap second is expected."],
  },
  {
    verified: false,
    sources: ["cgpm", "itu", "nist", "bulletin", "nature", "cloudflare", "meta"],
    report: `They are being retired rather than abolished: the world's conference on weights and measures decided in 2022 to raise the tolerated difference between UTC and the Earth's rotation "in, or before, 2035" [1]. By one estimate a *negative* leap second would be due before that, in 2029 [5].

## Why they exist

UTC is kept within 0.9 s of astronomical time. Since 1972, 27 seconds have been added for that [3], so that UTC is 37 s behind atomic time today [4].

## Will there be a negative one?

Agnew extrapolates the Earth's rotation to a negative leap second by 2029; without the melting of polar ice it would be 2026 [5].

## What they break

On New Year's Day 2017 one of them made lookups at Cloudflare fail [6]; Meta asks for an end to them [7].`,
    claims: [quoted.tolerance, quoted.count(27), quoted.negative],
    gaps: ["Whether the radio regulations follow the resolution.", "Whether the offset of 37 s still holds."],
  },
  {
    verified: true,
    sources: SOURCES,
    report: `**Leap seconds are being retired, not abolished overnight.** The world's conference on weights and measures decided in 2022 that the tolerated difference between UTC and the Earth's rotation will be raised "in, or before, 2035" [1]. Until then the rules of 1972 apply, and for the first time they may demand a *negative* leap second: one estimate puts it at 2029 [5], but nothing about it is certain.

## Why leap seconds exist

Atomic clocks define the second; the Earth, whose turning defines the day, does not keep time that well. When the two threaten to drift 0.9 s apart, a second is added to UTC [3].

| Date | Event | TAI − UTC |
|---|---|--:|
| 30 June 1972 | The first leap second [3] | 11 s |
| 31 December 2016 | The 27th, so far the last [3] | 37 s |
| since 2017 | None announced in the bulletin that was read [4] | 37 s |

All 27 were positive [3].

## What is decided, and what is not

- **Decided:** the maximum of UT1 − UTC grows in, or before, 2035 [1]. 2035 is the latest date, not a fixed one.
- **Endorsed by the radio regulators:** WRC-23 accepted a continuous UTC by 2035, with a way to extend it to 2040 where equipment cannot be replaced earlier [2].
- **Still open in the sources read:** the new maximum. It is to keep UTC continuous for at least a century, and was to be proposed to the conference of 2026 [1].

## Could there be a negative one first?

The Earth has been turning faster. Agnew separates the causes: the slowing core speeds up the solid Earth, melting polar ice slows it down. Extrapolated, a negative leap second is due by **2029**; without the recent melting it would have been three years earlier [5]. It remains an extrapolation, and the resolution itself speaks of a possible need, never foreseen or tested [1].

> Software that survived an extra second has never met a missing one [7].

## Why engineers want them gone

- On New Year's Day 2017 code that assumed time cannot go backwards made lookups at Cloudflare fail [6].
- Google avoids the jump: it runs its clocks about 11.6 ppm slower for 24 hours, from noon to noon [8].
- Meta asked in 2022 to stop adding leap seconds altogether [7].`,
    claims: [
      quoted.tolerance,
      {
        text: "The radio regulators allow an extension to 2040 where equipment cannot be replaced earlier.",
        sources: ["itu"],
        quote:
          "with the possibility to extend the deadline to 2040 where existing equipment cannot be replaced earlier",
        status: "supported",
      },
      quoted.count(27),
      {
        text: "UTC has been 37 s behind atomic time since 1 January 2017.",
        sources: ["bulletin"],
        quote: "From 1 January 2017, 0h UTC, until further notice, UTC is 37 s behind atomic time (TAI).",
        status: "supported",
      },
      quoted.negative,
      { text: "Google spreads a leap second over 24 hours.", sources: ["smear"], status: "supported" },
    ],
    gaps: [
      "Which maximum the conference of 2026 has fixed: the sources read are older.",
      "What Google itself says of its smear: its page was found, not read.",
    ],
  },
];

/** What one search reads: the pages that its answer rests on. */
const ONE_SEARCH = {
  searches: [["leap seconds abolished 2035 negative leap second 2029", ["cgpm", "nist", "nature"]]],
  reads: [{ name: "cgpm" }, { name: "nist", find: "added so far" }, { name: "nature" }],
};
const ONE_ANSWER = {
  ...DRAFTS[1],
  sources: ["cgpm", "nist", "nature"],
  report: `The tolerated difference between UTC and the Earth's rotation is to be raised "in, or before, 2035" [1]; 27 leap seconds have been added since 1972 [3]. By one estimate a *negative* one would be due in 2029 [5].`,
};

const PLAN = {
  success: true,
  aspects: ["What was decided, and for when: a date", "Whether a negative leap second is expected: a year"],
  queries: ONE_SEARCH.searches.map(([query]) => query),
};

/** What the values of a shape may be called, and the claim that says them. */
const FACTS = [
  { names: /negative/i, value: 2029, says: "negative leap second" },
  { names: /exten|deadline/i, value: 2040, says: "extension to 2040" },
  { names: /offset|tai|behind/i, value: 37, says: "37 s behind" },
  { names: /count|number|many|added/i, value: 27, says: "27 leap seconds" },
  { names: /year|end|abolish|retire/i, value: 2035, says: "2035 is the latest" },
];

const readPage = (args) => callTool("mcp_pages_read_page", args);

/**
 * Answers each request of the CLI as the model did. Another question gets the recorded report, which says so; the person's own
 * documents are searched and quoted, whatever they are about. `thinkMs`: how long each step takes, so that one can watch it.
 */
export function leapSeconds(question, { thinkMs = 350 } = {}) {
  const other = question.trim() !== QUESTION;
  return (call) => {
    switch (call.kind) {
      case "main":
        return [delay(thinkMs), ...[mainTurn(call, other)].flat()];
      case "search": {
        const names = [ONE_SEARCH, ...ROUNDS]
          .flatMap(({ searches }) => searches)
          .find(([query]) => query === call.query);
        const found = (names?.[1] ?? SOURCES).map((name) => PAGES[name]);
        return [
          delay(thinkMs),
          grounded(found.map(({ title, text }) => `${title}: ${text}`).join("\n\n"), {
            queries: [call.query],
            sources: found,
          }),
        ];
      }
      default:
        return undefined;
    }
  };
}

function mainTurn({ prompt, turn, body }, other) {
  if (prompt.includes("# Plan a research")) return json(PLAN);
  const { searches, reads, draft } = workOf(prompt);
  const queries = plannedQueries(prompt) ?? searches.map(([query]) => query);
  const folders = foldersIn(prompt);
  const withoutWeb = isWithoutWeb(prompt);
  const steps = [
    ...folders.map((folder) => readPage({ url: folder, find: questionIn(prompt) })),
    ...(withoutWeb ? [] : queries.map((query) => search(query))),
    ...(withoutWeb ? [] : reads.map(({ name, find }) => readPage({ url: url(name), find }))),
  ];
  if (turn < steps.length) return steps[turn];
  const own = folders.length > 0 ? claimOfDocuments(resultsIn(body), questionIn(prompt)) : undefined;
  const searched = withoutWeb ? [] : queries;
  return json(
    withoutWeb
      ? { ...answerOfDocuments(own), ...dataAskedFor(prompt, []) }
      : answer(draft, { prompt, own, searched, read: reads.map(({ name }) => url(name)), other }),
  );
}

/** What is searched, read and answered: in one search, or in a round of several. */
function workOf(prompt) {
  if (prompt.includes("# Answer one question")) return { ...ONE_SEARCH, draft: ONE_ANSWER };
  const round = Number(/round (\d+) of \d+/.exec(prompt)?.[1] ?? 1);
  const at = Math.min(round, ROUNDS.length) - 1;
  return { ...ROUNDS[at], draft: DRAFTS[at] };
}

/** What the page tool gave in this conversation. */
function resultsIn({ contents = [] }) {
  return contents
    .flatMap(({ parts = [] }) => parts)
    .flatMap(({ functionResponse }) => (functionResponse ? [String(functionResponse.response?.output ?? "")] : []));
}

function answerOfDocuments(own) {
  if (own === undefined) return { success: false, report: "The documents say nothing about it." };
  const [{ url: document }] = own.sources;
  const metadata = { sources_visited: [document], search_queries_used: [] };
  return {
    success: true,
    verified: true,
    report: `${own.text} [1]\n\n## Sources\n\n1. ${document}`,
    metadata,
    claims: [own],
  };
}

function answer({ verified, report, sources, claims, gaps }, { prompt, own, searched, read, other }) {
  const note = other
    ? "> This is a recording about leap seconds, played without a network. It does not answer your question; a run with `GEMINI_API_KEY` and `--live` does.\n\n"
    : "";
  const number = SOURCES.length + 1;
  const said = own === undefined ? "" : `\n\nYour document says: ${own.text} [${number}]`;
  const ownSource = own === undefined ? "" : `\n${number}. ${own.sources[0].url}`;
  const facts = FACTS.map((fact) => ({ ...fact, claim: 1 + claims.findIndex(({ text }) => text.includes(fact.says)) }));
  return {
    success: true,
    verified,
    report: `${note}${report}${said}\n\n## Sources\n\n${sourceList(sources)}${ownSource}`,
    metadata: { sources_visited: read, search_queries_used: searched },
    claims: [...claims.map(toClaim), ...(own === undefined ? [] : [own])],
    gaps,
    ...dataAskedFor(
      prompt,
      facts.filter(({ claim }) => claim > 0),
    ),
  };
}

/** @param claim names its sources, and words of the first of them */
function toClaim({ quote, sources, ...claim }) {
  const [first, ...others] = sources.map(url);
  return { ...claim, sources: [quote === undefined ? first : { url: first, quote }, ...others] };
}
