const WIDTHS = Array.from({ length: 20 }, (_, index) => `.w${index + 1}{flex:${index + 1}}`).join("");

/** The one style sheet of the page. Fonts are those of the reader's system. */
export const STYLE = `
:root{color-scheme:light dark;
--paper:#fdfcf9;--card:#fff;--ink:#22252a;--soft:#5c626c;--line:#e4e0d8;--accent:#23578f;--accent-soft:#e8eff7;
--good:#1d6b43;--good-soft:#e2f2e8;--warn:#8a5300;--warn-soft:#fbeed6;--bad:#a32a2a;--bad-soft:#fae5e3;--mark:#fff3c4;
--text:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,"Liberation Serif",serif;
--ui:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",sans-serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}
@media (prefers-color-scheme:dark){:root{
--paper:#16181c;--card:#1d2025;--ink:#e4e3df;--soft:#a0a5ae;--line:#32363d;--accent:#8ab8ea;--accent-soft:#22303f;
--good:#7fce9f;--good-soft:#1b3326;--warn:#e5b567;--warn-soft:#382c17;--bad:#f0948c;--bad-soft:#3f2221;--mark:#453c1a}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:1.5rem}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
body{margin:0;background:var(--paper);color:var(--ink);font:1.0625rem/1.65 var(--text);overflow-wrap:break-word}
a{color:var(--accent);text-decoration-thickness:.06em;text-underline-offset:.18em}
a:focus-visible,[tabindex]:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-99rem}.skip:focus{left:1rem;top:1rem;background:var(--card);padding:.5rem 1rem;z-index:1}
.top,.columns,footer{max-width:72rem;margin:0 auto;padding:0 clamp(1.1rem,4vw,3rem)}
.top{padding-top:clamp(2rem,6vw,4.5rem)}
.kind{font:600 .8rem/1.5 var(--ui);letter-spacing:.09em;text-transform:uppercase;color:var(--accent);margin:0 0 .6rem}
h1{font:600 clamp(1.75rem,1.2rem + 2.6vw,2.9rem)/1.16 var(--text);letter-spacing:-.014em;margin:0;max-width:24em;text-wrap:balance}
h1.long{font-size:clamp(1.35rem,1.1rem + 1.2vw,1.9rem);line-height:1.28}
.question{font:.9rem/1.5 var(--ui);color:var(--soft);margin:.8rem 0 0;max-width:60em}.question p{max-height:24rem;overflow:auto}
.symbol{width:.95em;height:.95em;vertical-align:-.1em;fill:none;stroke:currentColor;stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}
.verdict{display:inline-block;font:600 .9rem/1.35 var(--ui);padding:.35em .85em;border-radius:1.1em;margin:1.4rem 0 0}
.verdict.yes{color:var(--good);background:var(--good-soft)}
.verdict.no{color:var(--warn);background:var(--warn-soft)}
.facts{display:flex;flex-wrap:wrap;gap:.9rem 2.4rem;font:.9rem/1.4 var(--ui);margin:1.7rem 0 0;padding:1rem 0 1.1rem;border-block:1px solid var(--line)}
.facts dt{color:var(--soft);font-size:.78rem}.facts dd{margin:0;font-variant-numeric:tabular-nums}
.one{padding-top:1.6rem}.one+.one{border-top:3px solid var(--line);margin-top:3rem;padding-top:3rem}
.columns{display:grid;grid-template-columns:minmax(0,1fr);gap:0 4rem}
.contents{display:none}
.contents-small{font:.95rem/1.5 var(--ui);border:1px solid var(--line);border-radius:8px;padding:.55rem .9rem;margin:1.4rem 0 0}
.contents-small summary{cursor:pointer;color:var(--accent);font-weight:600}.contents-small ul{list-style:none;margin:.3rem 0;padding-left:.9rem}.contents-small li{margin:.35rem 0}.contents-small a{color:var(--ink);text-decoration:none;display:block;padding:.15rem 0}
@media (min-width:64rem){.columns{grid-template-columns:13rem minmax(0,1fr)}
.contents-small{display:none}.contents{display:block;position:sticky;top:0;align-self:start;max-height:100vh;overflow:auto;padding:2.6rem 0;font:.875rem/1.45 var(--ui)}}
.contents ul{list-style:none;margin:0;padding:0}.contents li{margin:.45rem 0}
.contents ul ul{margin:.4rem 0 .8rem;padding-left:.85rem;border-left:1px solid var(--line)}
.contents a{color:var(--ink);text-decoration:none}.contents ul ul a{color:var(--soft)}.contents a:hover{color:var(--accent);text-decoration:underline}
main{max-width:42.5rem;padding-bottom:3rem}
section{padding-top:1.2rem}
h2.section{font:600 .8rem/1 var(--ui);letter-spacing:.09em;text-transform:uppercase;color:var(--soft);margin:2.4rem 0 1.2rem;padding-top:1.6rem;border-top:1px solid var(--line)}
[id$=report]>h2.section{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}
.note{font:.95rem/1.5 var(--ui);background:var(--warn-soft);border-left:3px solid var(--warn);padding:.7rem 1rem;margin:2rem 0 0;border-radius:0 6px 6px 0}.note p{margin:.25rem 0;overflow-wrap:anywhere}
.report{font-size:1.125rem}
.report>:first-child{margin-top:1.2rem}
.report h3,.report h4,.report h5,.report h6{line-height:1.28;margin:2.2em 0 .6em;font-weight:600;text-wrap:balance}
.report h3{font-size:1.45em;letter-spacing:-.008em}.report h4{font-size:1.18em}.report h5,.report h6{font-size:1em}
p,.report ul,.report ol{margin:0 0 1.05em}
.report li{margin:.3em 0}.report li>ul,.report li>ol{margin:.3em 0}
blockquote{margin:1.4em 0;padding:.1em 0 .1em 1.2em;border-left:3px solid var(--line);color:var(--soft)}
code{font:.86em var(--mono);background:var(--accent-soft);padding:.1em .3em;border-radius:4px}
pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:.9rem 1.1rem;overflow:auto;line-height:1.5}pre code{background:none;padding:0}
hr{border:0;border-top:1px solid var(--line);margin:2.2em 0}
.table{overflow-x:auto;margin:1.5em 0}
table{border-collapse:collapse;font:.92rem/1.45 var(--ui);min-width:60%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600;border-bottom:2px solid var(--line)}th,td{padding:.5em 1em .5em 0;vertical-align:top}td a{overflow-wrap:anywhere}.whole{white-space:nowrap}.task{list-style:none;margin-left:-1.35em}
.right{text-align:right}.center{text-align:center}td{border-bottom:1px solid var(--line)}
.cites{font:600 .68em/1 var(--ui);white-space:nowrap;margin-left:.12em;vertical-align:.42em}
.cite{text-decoration:none;padding:.22em .5em;margin:0 0 0 .12em;border-radius:.45em;color:var(--accent);background:var(--accent-soft);font-variant-numeric:tabular-nums}
.cite:hover{background:var(--accent);color:var(--paper)}
.card{display:none;position:fixed;z-index:2;left:50%;bottom:1rem;transform:translateX(-50%);width:min(40rem,calc(100% - 1.5rem));gap:.9rem;background:var(--card);border:1px solid var(--line);border-radius:10px;box-shadow:0 .5rem 2rem rgb(0 0 0/.25);padding:.9rem 1.1rem;font:.95rem/1.45 var(--ui);max-height:75vh;overflow:auto}
.here{position:fixed;top:50%}
.card:target{display:flex;background:var(--card)}.card b{color:var(--soft);font-variant-numeric:tabular-nums}.card div{min-width:0}.card .title{font-weight:600}.card .url{display:block;color:var(--soft);font-size:.82rem;overflow-wrap:anywhere}.card p{margin:.5rem 0 0;display:flex;gap:1.4rem}.card p a{padding:.2rem 0}.card blockquote{margin:.6rem 0 0;line-height:1.5}mark{background:var(--mark);color:var(--ink)}
.cite.unseen{color:var(--bad);background:var(--bad-soft);text-decoration:line-through}
.chips{font:600 .72rem/1 var(--ui)}
:target{background:var(--mark)}.cite:target{outline:2px solid var(--accent)}
.figures{list-style:none;display:flex;flex-wrap:wrap;gap:1px;padding:0;margin:0 0 1.6rem;background:var(--line);border:1px solid var(--line);border-radius:10px;overflow:hidden}
.figures li{flex:1 1 7.5rem;background:var(--card);padding:.9rem 1rem;font:.8rem/1.35 var(--ui);color:var(--soft)}
.figures b{display:block;font:600 1.7rem/1.2 var(--text);color:var(--ink);font-variant-numeric:lining-nums}
.bar{display:flex;gap:3px;height:.55rem;border-radius:99px;overflow:hidden}.bar .supported{background:var(--good)}.bar .disputed{background:var(--warn)}.bar .unsupported{background:var(--bad)}.bar .unproven{background:var(--line)}${WIDTHS}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;padding:0;margin:.7rem 0 0;font:.85rem/1.4 var(--ui)}
.legend .supported,h3.supported{color:var(--good)}.legend .disputed,h3.disputed{color:var(--warn)}.legend .unsupported,h3.unsupported{color:var(--bad)}.legend .unproven,h3.unproven{color:var(--soft)}
section>h3,.rounds h3{font:600 1rem/1.3 var(--ui);margin:2rem 0 .7rem}
main h3 small{font:.85rem/1.4 var(--ui);color:var(--soft);margin-left:.8em}
.claims{list-style:none;padding:0;margin:0}
.claims li{display:flex;gap:.4rem 1.2rem;justify-content:space-between;align-items:baseline;background:var(--card);border:1px solid var(--line);border-left-width:3px;border-radius:6px;padding:.65rem .9rem;margin:.5rem 0;font-size:1rem;line-height:1.5}
.claims p{margin:0}.claims small{font:.85rem/1.4 var(--ui);color:var(--soft)}.claims .chips{flex:none;max-width:7.5rem;text-align:right;line-height:1.9}
.claims .supported{border-left-color:var(--good)}.claims .disputed{border-left-color:var(--warn)}.claims .unsupported{border-left-color:var(--bad)}.claims .unproven{border-left-color:var(--line)}.legend+.hint{margin-top:1rem}
.quote{margin:.6rem 0 0;padding-left:.8rem;border-left:2px solid var(--line);font-size:.95rem;line-height:1.5}.quote blockquote{margin:0;padding:0;border:0}.quote.stands{border-left-color:var(--good)}.quote.differs{border-left-color:var(--warn)}.quote.missing{border-left-color:var(--bad)}
.quote figcaption{font:.8rem/1.4 var(--ui);color:var(--soft);margin-top:.15rem}.quote.stands .symbol{color:var(--good)}.quote.differs .symbol{color:var(--warn)}.quote.missing .symbol{color:var(--bad)}.claims .instead{color:var(--soft);text-decoration:line-through;text-decoration-thickness:1px}.missing{display:block;margin-top:.4rem}
.hint{font:.95rem/1.5 var(--ui);color:var(--soft)}.hint.warn{color:var(--warn)}
.rounds{list-style:none;margin:0;padding:0 0 0 1.7rem;position:relative}
.rounds::before{content:"";position:absolute;left:.4rem;top:.6rem;bottom:1rem;width:2px;background:var(--line)}
.rounds>li{position:relative;padding-bottom:1.5rem}
.rounds>li::before{content:"";position:absolute;left:-1.7rem;top:.33rem;width:.85rem;height:.85rem;border-radius:50%;background:var(--paper);border:3px solid var(--accent)}
.rounds>.verified::before{background:var(--accent);border-color:var(--accent)}.rounds>.set-aside::before{border-color:var(--warn)}.rounds>.failed::before{background:var(--bad);border-color:var(--bad)}
.rounds h3{margin:0 0 .35rem}.rounds p{margin:0 0 .6rem;font-size:1rem;line-height:1.55}
.state{font:600 .72rem/1 var(--ui);padding:.25em .6em;border-radius:99px;vertical-align:.1em}
.verified .state{color:var(--accent);background:var(--accent-soft)}.state{color:var(--warn);background:var(--warn-soft)}.failed .state{color:var(--bad);background:var(--bad-soft)}
.queries{list-style:none;display:flex;flex-wrap:wrap;gap:.4rem;padding:0;margin:0 0 .6rem}
.queries li{font:.82rem/1.35 var(--ui);border:1px solid var(--line);background:var(--card);border-radius:99px;padding:.22em .8em}
.sources{margin:0;padding-left:2.4rem;font:.95rem/1.5 var(--ui)}
.sources li{padding:.45rem .5rem;border-radius:6px}.sources li::marker{color:var(--soft);font-variant-numeric:tabular-nums}
.sources .title{font-weight:600;text-decoration:none}.sources .title:hover{text-decoration:underline}
.sources .url{display:block;color:var(--soft);font-size:.82rem;overflow-wrap:anywhere}
.sources .back{font-size:.8rem;color:var(--soft)}.sources .back a{display:inline-block;padding:0 .25em;text-decoration:none}
.badge{font:600 .7rem/1 var(--ui);padding:.25em .6em;border-radius:99px;white-space:nowrap;vertical-align:.1em}
.badge.quoted,.badge.retrieved{color:var(--good);background:var(--good-soft)}.badge.attributed,.badge.found,.badge.listed{color:var(--accent);background:var(--accent-soft)}.badge.unseen{color:var(--bad);background:var(--bad-soft)}
footer{font:.8rem/1.5 var(--ui);color:var(--soft);padding-bottom:3rem}footer p{border-top:1px solid var(--line);padding-top:1.2rem;max-width:60em}
@media (max-width:34rem){.claims li{display:block}.claims .chips{display:block;text-align:left;max-width:none;margin-top:.3rem}.facts{gap:.8rem 1.6rem}main h3 small{display:block;margin:.15rem 0 0}.sources{padding-left:1.7rem}}
@page{margin:18mm 16mm}
@media print{pre{white-space:pre-wrap;overflow-wrap:anywhere}:root{--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#ccc;--accent:#123a66;--accent-soft:#fff;--mark:#fff}
body{font-size:10.5pt}.one,.one+.one{padding-top:0}.one+.one{break-before:page;border:0;margin:0}.links,.contents,.contents-small,.card,.card:target,.question,.skip,.sources .back{display:none}.columns{display:block}.top,.columns,footer{max-width:none;padding-left:0;padding-right:0}.top{padding-top:0}main{max-width:none}
.claims li,.rounds>li,.sources li,.figures,pre,tr{break-inside:avoid}h2,h3,h4{break-after:avoid}.cite::before{content:"["}.cite::after{content:"]"}.cite{padding:0;margin:0;min-width:0}.report a:not(.cite,.bare)::after{content:" <" attr(href) ">";font-size:.8em;color:var(--soft)}}
`;
