import type { DeepSearchReport } from "@x/research";

const ATTACKS = [
  "<script>document.title = 'owned'</script>",
  "<img src=x onerror=\"document.title='owned'\">",
  "<pre>raw & <b onmouseover=alert(1)>text</b>",
  "<svg/onload=document.title='owned'>",
  "[link](javascript:document.title='owned')",
  "[link](&#106;avascript:alert(1))",
  "[link](JaVaScRiPt:alert(1) 'title\" onclick=alert(1) x=\"')",
  '[quote](https://e.example/"onmouseover=alert(1)//)',
  "![image](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
  "<javascript:alert(1)>",
  "`<script>alert(1)</script>`",
  "\u001b[2J\u001b]0;owned\u0007 \u202ereversed",
  "# <img src=x onerror=alert(1)> heading",
  '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
  "| <script>alert(1)</script> | b |\n|---|---|\n| [x](javascript:alert(1)) | <img src=x onerror=alert(1)> |",
  "<style>body{display:none}</style>",
  "<meta http-equiv=refresh content='0;url=https://evil.example'>",
  "</article></main><form action=https://evil.example><input name=x>",
  "<!-- --!><script>alert(1)</script>",
  '[1]: javascript:alert(1) "t"',
];
const LINE = `${ATTACKS[0]} ${ATTACKS[1]} ${ATTACKS[11]} "quoted' </title></style>`;

/** Every field that a model or a page can fill tries to become markup, script, style or a colour of the terminal. */
export const hostileReport: DeepSearchReport = {
  success: true,
  result: ATTACKS.join("\n\n"),
  verified: false,
  metadata: {
    duration_ms: 1,
    query: LINE,
    model: LINE,
    timestamp: LINE,
    note: LINE,
    iterations: 1,
    sources_visited: ["javascript:alert(1)", `https://a.example/${LINE}`],
    search_queries_used: [LINE],
    rounds: [
      {
        round_number: 1,
        sources_visited: ["javascript:alert(1)"],
        search_queries: [LINE],
        intermediate_result_summary: LINE,
      },
    ],
    evidence: {
      status: "available",
      sources: [{ url: 'https://b.example/"><script>alert(1)</script>', title: LINE, status: "found", cited: true }],
      unseen: ["javascript:alert(1)"],
      citation_accuracy: 0,
      independent_hosts: 0,
      claims: [
        {
          text: `${LINE} [x](javascript:alert(1))`,
          sources: ["javascript:alert(1)"],
          status: "unsupported",
          proof: "none",
          quotes: [],
          owners: 1,
        },
      ],
      proven: 0,
      contradictions: [],
      pages: [],
      unsupported_verifications: [1],
    },
  },
};
