import type { DeepSearchReport } from "@x/research";

const BIPM = "https://www.bipm.org/en/cgpm-2022/resolution-4";
const NATURE = "https://www.nature.com/articles/s41586-024-07170-0";
const NIST = "https://www.nist.gov/pml/time-and-frequency-division/leap-seconds-faqs";
const IERS = "https://datacenter.iers.org/data/latestVersion/bulletinC.txt";
const SMEAR = "https://developers.google.com/time/smear";
const META =
  "https://engineering.fb.com/2022/07/25/production-engineering/its-time-to-leave-the-leap-second-in-the-past/";
const BLOG = "https://clockblog.example/negative-leap-second-2026";

/** A report with everything that a page can show: all claim states, all source states, a table, a list, code. */
export const sampleReport: DeepSearchReport = {
  success: true,
  result: `Leap seconds are being retired, but not abolished on a fixed day: the world's metrology conference decided in 2022 that the tolerance between UTC and the Earth's rotation is to be raised **by or before 2035** [1]. Until then the rules of 1972 apply, and for the first time a *negative* leap second is conceivable [2].

## Why they exist

Atomic clocks define UTC, while astronomical time (UT1) follows a planet whose rotation is irregular. Since 1972 a second is inserted whenever the two threaten to differ by more than 0.9 s [3]. There have been 27, the last one on 31 December 2016, which is why TAI − UTC is 37 s today [4].

| Year | Event | TAI − UTC |
|------|-------|----------:|
| 1972 | UTC starts with a whole number of seconds | 10 s |
| 1998 | The 22nd leap second | 32 s |
| 2016 | The 27th and so far last leap second | 37 s |

## What is decided

- In November 2022 the *Conférence générale des poids et mesures* adopted Resolution 4 [1].
- A new, larger tolerance is still to be fixed; a minute or more has been discussed [1][6].
- Large operators asked for it: code like the following breaks when a minute has 61 seconds [6].

\`\`\`c
if (tm.tm_sec > 59) return EINVAL; /* 23:59:60 is a valid UTC time */
\`\`\`

## Will there be a negative one?

The Earth has been turning faster since about 2016. Without climate change, Agnew estimates, a negative leap second would have been due in 2026; melting ice at the poles slows the rotation and moves it to about **2029** [2]. Others still name 2026 [7].

> A negative leap second has never been tried; most software has never been tested with one.

Many services *smear* the second over a day instead of inserting it [5].

## Sources

1. [Resolution 4 of the 27th CGPM (2022)](${BIPM})
2. [A global timekeeping problem postponed by global warming](${NATURE}), Nature, 2024
3. [Leap seconds FAQs](${NIST})
4. [IERS Bulletin C](${IERS})
5. [Leap smear](${SMEAR})
6. [It's time to leave the leap second in the past](${META})
7. [Negative leap second in 2026](${BLOG})
`,
  verified: true,
  metadata: {
    duration_ms: 187_400,
    query: "Are leap seconds being abolished, and could there be a negative one before?",
    model: "gemini-3-flash-preview",
    timestamp: "2026-11-20T09:30:00.000Z",
    iterations: 3,
    sources_visited: [BIPM, NATURE, NIST, IERS, SMEAR, META],
    search_queries_used: [
      "leap second abolished 2035 CGPM resolution 4",
      "last leap second TAI-UTC 37 s Bulletin C",
      "negative leap second 2029 Agnew Nature",
      "leap smear 24 hours noon to noon",
    ],
    rounds: [
      {
        round_number: 1,
        sources_visited: [BIPM, NIST],
        search_queries: ["leap second abolished 2035 CGPM resolution 4", "last leap second TAI-UTC 37 s Bulletin C"],
        intermediate_result_summary:
          "Draft: what leap seconds are and what was decided. It still said that they end on a fixed day in 2035.",
        verified: false,
      },
      {
        round_number: 2,
        sources_visited: [BIPM, NATURE, META],
        search_queries: ["negative leap second 2029 Agnew Nature"],
        intermediate_result_summary:
          "Read the resolution itself: “by or before 2035”, tolerance still open. Added the study on the negative leap second.",
        verified: false,
      },
      {
        round_number: 3,
        sources_visited: [IERS, SMEAR],
        search_queries: ["leap smear 24 hours noon to noon"],
        intermediate_result_summary: "Checked the count and the offset against Bulletin C. Nothing left to correct.",
        verified: true,
      },
    ],
    gaps: ["Which value the new tolerance gets, and when exactly it applies."],
    warnings: [`1 cited address was not seen in any search or page of this research, do not rely on it: ${BLOG}`],
    usage: { runs: 3, input_tokens: 91_000, output_tokens: 7_300, total_tokens: 98_300, duration_ms: 187_400 },
    evidence: {
      status: "available",
      sources: [
        { url: BIPM, title: "bipm.org", status: "retrieved", cited: true },
        { url: NATURE, title: "nature.com", status: "retrieved", cited: true },
        { url: NIST, status: "found", cited: true },
        { url: IERS, status: "retrieved", cited: true },
        { url: SMEAR, status: "found", cited: true },
        { url: META, status: "found", cited: true },
        {
          url: "https://www.timeanddate.com/time/earth-rotation.html",
          title: "timeanddate.com",
          status: "found",
          cited: false,
        },
      ],
      unseen: [BLOG],
      citation_accuracy: 6 / 7,
      independent_hosts: 6,
      claims: [
        {
          text: "The world's metrology conference decided in 2022 that the tolerance is to be raised **by or before 2035**.",
          sources: [BIPM],
          status: "supported",
          proof: "quoted",
          quotes: [
            {
              url: BIPM,
              text: "the maximum value for the difference (UT1-UTC) will be increased in, or before, 2035",
              found: "typography",
              passage:
                "decides that the maximum value for the difference (UT1−UTC) will be increased in, or before, 2035,",
              before: "The General Conference on Weights and Measures, at its 27th meeting,\n",
              behind: "\nrequests that the CIPM consult with the ITU <and others>",
              page: 2,
            },
          ],
          owners: 1,
        },
        {
          text: "There have been 27, the last one on 31 December 2016, which is why TAI − UTC is 37 s today.",
          sources: [IERS],
          status: "supported",
          proof: "read",
          quotes: [
            {
              url: IERS,
              text: "TAI-UTC = 36 s",
              found: "altered",
              passage: "from 2017 January 1, 0h UTC, until further notice : UTC-TAI = -37 s",
              line: 14,
            },
            { url: IERS, text: "27 leap seconds have been introduced", found: "not-found" },
          ],
          owners: 1,
          missing: ["27", "31 December 2016"],
        },
        {
          text: "Melting ice at the poles slows the rotation and moves it to about 2029.",
          sources: [NATURE, BLOG],
          status: "disputed",
          proof: "read",
          quotes: [],
          owners: 1,
        },
        {
          text: "Others still name 2026.",
          sources: [BLOG],
          status: "unsupported",
          proof: "none",
          quotes: [],
          owners: 1,
        },
        {
          text: "Since 1972 a second is inserted whenever the two threaten to differ by more than 0.9 s.",
          sources: [NIST],
          status: "supported",
          proof: "found",
          quotes: [],
          owners: 1,
        },
      ],
      proven: 0.2,
      contradictions: [],
      pages: [
        {
          url: BIPM,
          final_url: BIPM,
          sha256: "ab".repeat(32),
          bytes: 48_120,
          content_type: "application/pdf",
          fetched_at: "2026-11-20T09:27:00.000Z",
          title: "Resolution 4 of the 27th CGPM",
          published: "2022-11-18",
        },
      ],
      unsupported_verifications: [],
    },
  },
};
