import { createHash } from "node:crypto";
import { STYLE } from "../report/html/style.js";
import { ICON } from "../report/html/symbols.js";
import { escapeHtml } from "../text/escape.js";
import { LIVE_SCRIPT } from "./live-script.js";

/** What lists and forms need beside the style of reports. */
const WEB_STYLE = `${STYLE}
.top .kind a{color:var(--accent);display:inline-block;padding:.5rem 0}
.wide{max-width:72rem;margin:0 auto;padding:0 clamp(1.1rem,4vw,3rem) 3rem}
form{font:.95rem/1.4 var(--ui)}form.ask,form.filter{display:flex;flex-wrap:wrap;gap:.8rem 1rem;align-items:end}
form.ask{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.1rem;margin:1.4rem 0}form.filter{margin:1.8rem 0 1rem}
label{display:block;font-size:.82rem;color:var(--soft)}.grow{flex:1 1 16rem;min-width:0}.whole-row{flex:1 1 100%}
input,select,textarea{font:1rem/1.4 var(--ui);color:var(--ink);background:var(--paper);border:1px solid var(--soft);border-radius:6px;padding:.5rem .65rem;width:100%;min-height:2.75rem}textarea{min-height:5rem;resize:vertical}
button{font:600 .95rem/1 var(--ui);color:var(--paper);background:var(--accent);border:0;border-radius:6px;padding:.9rem 1.2rem;min-height:2.75rem;cursor:pointer}button.danger{background:var(--bad)}
input:focus-visible,select:focus-visible,textarea:focus-visible,button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
.jobs{list-style:none;margin:0;padding:0}.jobs li{display:flex;flex-wrap:wrap;gap:.2rem 1rem;align-items:baseline;border-bottom:1px solid var(--line);padding:.7rem 0}
.jobs a{flex:1 1 22rem;min-width:0;font-size:1.05rem;text-decoration:none;padding:.2rem 0}.jobs a:hover{text-decoration:underline}.jobs time,.jobs small{font:.85rem/1.4 var(--ui);color:var(--soft)}.jobs small{flex:1 1 100%}
.job-state{font:600 .78rem/1 var(--ui);padding:.3em .7em;border-radius:99px;color:var(--accent);background:var(--accent-soft);white-space:nowrap}.job-state.good{color:var(--good);background:var(--good-soft)}.job-state.careful{color:var(--warn);background:var(--warn-soft)}.job-state.failed{color:var(--bad);background:var(--bad-soft)}
.pages{font:.95rem/1.4 var(--ui);display:flex;gap:1.5rem;margin:1.2rem 0}
.progress{font:1rem/1.5 var(--ui)}.progress ul{padding-left:1.3rem}.progress .steps{list-style:none;padding:0}.steps li{display:flex;gap:.3rem .7rem;padding:.2rem 0}.steps b{font-weight:600;color:var(--soft);flex:none;min-width:4.5rem}.steps span:last-child{min-width:0;overflow-wrap:anywhere}.sign{color:var(--accent);width:1em;flex:none}.sign.good{color:var(--good)}.sign.failed{color:var(--bad)}.clock{font:.95rem/1.4 var(--ui);color:var(--soft);font-variant-numeric:tabular-nums;margin:0 0 1rem}.acts{display:flex;flex-wrap:wrap;align-items:center;gap:1rem;margin:1.6rem 0}.acts p{font:.95rem/1.4 var(--ui);margin:0}.wide>p:first-child{margin-top:1.4rem}
@media print{form,form.ask,form.filter,.acts,.pages,.top .kind a{display:none}.wide{max-width:none;padding:0}.jobs li{break-inside:avoid}.jobs a{color:var(--ink)}}
`;

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** What every answer with a page allows: its own style and script, its own forms, and nothing from elsewhere. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src ${sha256(WEB_STYLE)} ${sha256(STYLE)}`,
  `script-src ${sha256(LIVE_SCRIPT)}`,
  "img-src data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** A part of a page that is told when it changes. */
export interface Live {
  /** Where its changes are told. Missing: it does not change any more. */
  events?: string | undefined;
  html: string;
}

/** A page around its parts; all of them are HTML already, but for the title. */
export function layout({
  title,
  kind,
  before = "",
  live,
}: {
  title: string;
  kind: string;
  before?: string;
  live?: Live;
}): string {
  const events = live?.events;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${events === undefined ? "" : '<noscript><meta http-equiv="refresh" content="5"></noscript>'}
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(ICON)}">
<style>${WEB_STYLE}</style>
</head>
<body>
<header class="top"><p class="kind">${kind}</p><h1${title.length > 60 ? ' class="long"' : ""} dir="auto">${escapeHtml(title)}</h1></header>
<main class="wide">
${before}
${live === undefined ? "" : `<div id="live"${events === undefined ? "" : ` data-events="${escapeHtml(events)}"`}>${live.html}</div>`}
</main>
${events === undefined ? "" : `<script>${LIVE_SCRIPT}</script>`}
</body>
</html>
`;
}

/** The way back to the list. */
export const HOME_LINK = '<a href="/">All researches</a>';

/** A form that changes something: it carries the secret that only our own pages know. */
export function postForm(action: string, secret: string, content: string, className = ""): string {
  return `<form method="post" action="${escapeHtml(action)}"${className && ` class="${className}"`}><input type="hidden" name="secret" value="${secret}">${content}</form>`;
}
