// A recorded topic: what the model searches, finds, reads and answers in three rounds. The words are ours, the facts
// and addresses are real.
import { delay, fetchPage, grounded, json, page, search } from "@x/gemini-runner/testing";

export const QUESTION = "Are leap seconds being abolished, and could there be a negative one before that?";

/** The pages, by a short name. */
const PAGES = {
  cgpm: {
    url: "https://www.bipm.org/en/cgpm-2022/resolution-4",
    title: "Resolution 4 of the 27th CGPM: On the use and future development of UTC",
    text: "The conference decides that the maximum value for the difference UT1 − UTC will be increased in, or before, 2035. It asks the CIPM to propose a new maximum value that ensures the continuity of UTC for at least a century, and a plan to implement it by 2035, for the 28th meeting in 2026. It notes that a negative leap second may become necessary, which has never been foreseen or tested.",
  },
  nature: {
    url: "https://www.nature.com/articles/s41586-024-07170-0",
    title: "A global timekeeping problem postponed by global warming (Nature, 2024)",
    text: "Duncan Agnew separates the causes of the Earth's changing rotation. The core's spin is slowing, so the solid Earth turns faster; melting polar ice works against it. Extrapolated, UTC as defined today needs a negative leap second by 2029; had the ice not melted faster lately, it would have been three years earlier.",
  },
  nist: {
    url: "https://www.nist.gov/pml/time-and-frequency-division/leap-seconds-faqs",
    title: "Leap seconds FAQs (NIST)",
    text: "Leap seconds keep UTC within 0.9 s of astronomical time, UT1. The first was added on 30 June 1972; 27 have been added so far. All of them were positive. A negative one has never been needed.",
  },
  bulletin: {
    url: "https://hpiers.obspm.fr/iers/bul/bulc/bulletinc.dat",
    title: "Bulletin C (International Earth Rotation and Reference Systems Service)",
    text: "Announces twice a year whether a leap second will be introduced. From 2017 January 1, 0h UTC, until further notice: UTC − TAI = −37 s.",
  },
  itu: {
    url: "https://www.itu.int/en/mediacentre/Pages/PR-2023-12-15-WRC23-closing-ceremony.aspx",
    title: "World Radiocommunication Conference revises the ITU Radio Regulations (ITU, 2023)",
    text: "WRC-23 endorsed the decision to adopt a continuous UTC as the standard by 2035, with the possibility to extend the deadline to 2040 where existing equipment cannot be replaced earlier.",
  },
  meta: {
    url: "https://engineering.fb.com/2022/07/25/production-engineering/its-time-to-leave-the-leap-second-in-the-past/",
    title: "It's time to leave the leap second in the past (Engineering at Meta, 2022)",
    text: "Meta asks to stop adding leap seconds. Negative ones have never been tested at scale and could be devastating for software that relies on timers or schedulers.",
  },
  cloudflare: {
    url: "https://blog.cloudflare.com/how-and-why-the-leap-second-affected-cloudflare-dns/",
    title: "How and why the leap second affected Cloudflare DNS (Cloudflare, 2017)",
    text: "At midnight UTC on New Year's Day 2017 a number in the DNS software went negative where zero was the least it should be, because the code assumed that time cannot go backwards. Some lookups failed.",
  },
  smear: {
    url: "https://developers.google.com/time/smear",
    title: "Leap smear (Google)",
    text: "Google runs clocks slightly slower for 24 hours, from noon to noon UTC around the leap second, instead of adding one. The change is about 11.6 parts per million.",
  },
};

/** Names for which the CLI asks before it reads a page. */
export const HOSTS = Object.values(PAGES).map(({ url }) => new URL(url).hostname);

/** What each round searches, what that finds, and what it then reads. */
const ROUNDS = [
  {
    searches: [
      ["leap second abolished 2035 CGPM resolution UTC", ["cgpm", "itu"]],
      ["how many leap seconds since 1972 TAI UTC offset", ["nist", "bulletin"]],
      ["leap second outage software midnight", ["cloudflare", "meta"]],
    ],
    reads: ["nist", "cloudflare"],
  },
  {
    searches: [
      ['CGPM resolution 4 2022 text "in, or before, 2035"', ["cgpm"]],
      ["negative leap second prediction Earth rotation faster melting ice", ["nature", "meta"]],
    ],
    reads: ["cgpm", "nature"],
  },
  {
    searches: [
      ["WRC-23 continuous UTC 2035 2040 existing equipment", ["itu"]],
      ["IERS Bulletin C UTC-TAI -37 s leap smear 24 hours", ["bulletin", "smear"]],
    ],
    reads: ["itu", "bulletin"],
  },
];

const SOURCES = ["cgpm", "itu", "nist", "bulletin", "nature", "cloudflare", "meta", "smear"];
const url = (name) => PAGES[name].url;
const sourceList = (names) =>
  names.map((name) => `${SOURCES.indexOf(name) + 1}. ${PAGES[name].title}. ${url(name)}`).join("\n");

const DRAFTS = [
  {
    verified: false,
    sources: ["cgpm", "itu", "nist", "bulletin", "cloudflare", "meta"],
    report: `Yes: leap seconds end in 2035 [1]. A negative one has never been needed [3].

## Why they exist

UTC is kept within 0.9 s of astronomical time. Since 1972, 27 seconds have been added for that [3], so that UTC is 37 s behind atomic time today [4].

## What they break

On New Year's Day 2017 one of them made lookups at Cloudflare fail [6]; Meta asks for an end to them [7].`,
    claims: [
      { text: "Leap seconds end in 2035.", sources: ["cgpm"], status: "supported" },
      {
        text: "27 leap seconds have been added since 1972, all of them positive.",
        sources: ["nist"],
        status: "supported",
      },
    ],
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
    claims: [
      {
        text: "The tolerance between UTC and UT1 is to be raised in, or before, 2035; 2035 is the latest date, not a fixed one.",
        sources: ["cgpm"],
        status: "supported",
      },
      { text: "A negative leap second will be needed by 2029.", sources: ["nature"], status: "disputed" },
    ],
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
      {
        text: "The tolerated difference between UTC and UT1 will be raised in, or before, 2035; 2035 is the latest date, not a fixed one.",
        sources: ["cgpm"],
        status: "supported",
      },
      {
        text: "The radio regulators allow an extension to 2040 where equipment cannot be replaced earlier.",
        sources: ["itu"],
        status: "supported",
      },
      {
        text: "27 leap seconds have been added since 1972, all of them positive.",
        sources: ["nist"],
        status: "supported",
      },
      {
        text: "UTC has been 37 s behind atomic time since 1 January 2017.",
        sources: ["bulletin"],
        status: "supported",
      },
      { text: "A negative leap second will be needed by 2029.", sources: ["nature", "cgpm"], status: "disputed" },
      { text: "Google spreads a leap second over 24 hours.", sources: ["smear"], status: "supported" },
    ],
    gaps: ["Which maximum the conference of 2026 has fixed: the sources read are older."],
  },
];

const withoutSlash = (address) => address.replace(/\/$/, "");

/**
 * Answers each request of the CLI as the model did. Another question gets the recorded report, which says so.
 * `thinkMs`: how long each step takes, so that one can watch it.
 */
export function leapSeconds(question, { thinkMs = 350 } = {}) {
  const other = question.trim() !== QUESTION;
  return (call) => {
    switch (call.kind) {
      case "main": {
        const round = Number(/round (\d+) of \d+/.exec(call.prompt)?.[1] ?? 1);
        const at = Math.min(round, ROUNDS.length) - 1;
        const { searches, reads } = ROUNDS[at];
        const steps = [
          ...searches.map(([query]) => [delay(thinkMs), search(query)]),
          ...reads.map((name) => [delay(thinkMs), fetchPage(url(name))]),
        ];
        return steps[call.turn] ?? [delay(thinkMs), json(answer(DRAFTS[at], at, other))];
      }
      case "search": {
        const names = ROUNDS.flatMap(({ searches }) => searches).find(([query]) => query === call.query)?.[1] ?? [];
        const found = names.map((name) => PAGES[name]);
        return [
          delay(thinkMs),
          grounded(found.map(({ title, text }) => `${title}: ${text}`).join("\n\n"), {
            queries: [call.query],
            sources: found,
          }),
        ];
      }
      case "fetch": {
        const asked = call.urls.map(withoutSlash);
        const read = Object.values(PAGES).filter((known) => asked.includes(withoutSlash(known.url)));
        return [delay(thinkMs), page(read.map(({ title, text }) => `# ${title}\n\n${text}`).join("\n\n"))];
      }
      default:
        return undefined;
    }
  };
}

function answer({ verified, report, sources, claims, gaps }, at, other) {
  const note = other
    ? "> This is a recording about leap seconds, played without a network. It does not answer your question; a run with `GEMINI_API_KEY` and `--live` does.\n\n"
    : "";
  return {
    success: true,
    verified,
    report: `${note}${report}\n\n## Sources\n\n${sourceList(sources)}`,
    metadata: {
      sources_visited: ROUNDS[at].reads.map(url),
      search_queries_used: ROUNDS[at].searches.map(([query]) => query),
    },
    claims: claims.map((claim) => ({ ...claim, sources: claim.sources.map(url) })),
    gaps,
  };
}
