/** A command in a terminal of its own (Linux: `script` of util-linux), recorded and drawn as an animated SVG. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import xterm from "@xterm/headless";

const COLUMNS = 112;
const ROWS = 32;
/** Output that comes within this time is one picture. */
const SAME_FRAME_MS = 80;
/** Nobody watches a pause that is longer. */
const LONGEST_PAUSE_MS = 3_000;
/** What comes at once and is longer than the screen is shown as one reads it: half a screen at a time. */
const READING_MS = 2_500;
const LAST_FRAME_MS = 6_000;

const CELL = { width: 8.4, height: 18 };
const MARGIN = { side: 16, top: 40, bottom: 14 };
const FONTS = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
const COLOURS = {
  background: "#11151c",
  frame: "#2b3240",
  text: "#d7dce5",
  palette: [
    ...["#3b4252", "#e5707a", "#8fc27f", "#e3c070", "#6ea8e5", "#c08fd6", "#6cc5c9", "#d7dce5"],
    ...["#6b7488", "#f08b94", "#a9d69b", "#f0d491", "#8fc0f2", "#d3a9e6", "#8edcdf", "#ffffff"],
  ],
};

/** @returns what each moment showed: `{ atMs, lines }`, a line being the runs of cells that look alike */
export async function record(command, args, env) {
  const quoted = [command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qefc", `stty cols ${COLUMNS} rows ${ROWS}; exec ${quoted}`, "/dev/null"], {
    env: { ...env, TERM: "xterm-256color", COLORTERM: "truecolor" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, scrollback: 10_000, allowProposedApi: true });
  const chunks = [];
  child.stdout.on("data", (bytes) => chunks.push({ at: performance.now(), bytes }));
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${quoted} ended with ${code}:\n${Buffer.concat(chunks.map(({ bytes }) => bytes))}`);

  const frames = [];
  let atMs = 0;
  let top = 0;
  for (const [i, { at, bytes }] of chunks.entries()) {
    await new Promise((resolve) => terminal.write(bytes, resolve));
    const pauseMs = i + 1 < chunks.length ? chunks[i + 1].at - at : LAST_FRAME_MS;
    if (pauseMs < SAME_FRAME_MS) continue;
    const { baseY } = terminal.buffer.active;
    for (top += ROWS / 2; baseY - top > 2; top += ROWS / 2) {
      frames.push({ atMs, lines: screen(terminal, top) });
      atMs += READING_MS;
    }
    top = baseY;
    frames.push({ atMs, lines: screen(terminal, top) });
    atMs += Math.min(pauseMs, LONGEST_PAUSE_MS);
  }
  return { frames, lengthMs: atMs - Math.min(LAST_FRAME_MS, LONGEST_PAUSE_MS) + LAST_FRAME_MS, text: textOf(terminal) };
}

function textOf({ buffer: { active } }) {
  return Array.from({ length: active.length }, (_, y) => active.getLine(y).translateToString(true)).join("\n");
}

function screen({ buffer: { active } }, top) {
  return Array.from({ length: ROWS }, (_, row) => runsOf(active.getLine(top + row)));
}

/** The cells of a line, those that look alike together. */
function runsOf(line) {
  const runs = [];
  for (let x = 0; line !== undefined && x < COLUMNS; x++) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = styleOf(cell);
    const last = runs.at(-1);
    if (last?.style === style) {
      last.text += cell.getChars() || " ";
      last.cells += cell.getWidth();
    } else runs.push({ x, style, text: cell.getChars() || " ", cells: cell.getWidth() });
  }
  return runs.filter(({ text, style }) => text.trim() !== "" || style.includes("underline"));
}

function styleOf(cell) {
  const colour = cell.isFgRGB()
    ? `#${cell.getFgColor().toString(16).padStart(6, "0")}`
    : cell.isFgPalette()
      ? COLOURS.palette[cell.getFgColor()]
      : undefined;
  return [
    colour === undefined ? "" : ` fill="${colour}"`,
    cell.isBold() ? ' font-weight="700"' : "",
    cell.isItalic() ? ' font-style="italic"' : "",
    cell.isUnderline() ? ' text-decoration="underline"' : "",
    cell.isDim() ? ' opacity="0.6"' : "",
  ].join("");
}

/** Draws the frames one after the other, over and over; for who wants no motion, the last one alone. */
export function draw({ frames, lengthMs }, title) {
  const width = COLUMNS * CELL.width + 2 * MARGIN.side;
  const height = ROWS * CELL.height + MARGIN.top + MARGIN.bottom;
  const lines = new Map();
  const pictures = frames.map(({ lines: each }, i) => {
    const uses = each.map((runs, row) => {
      const drawn = lineOf(runs);
      if (drawn === "") return "";
      if (!lines.has(drawn)) lines.set(drawn, `l${lines.size}`);
      return `<use href="#${lines.get(drawn)}" y="${row * CELL.height}"/>`;
    });
    return `<svg y="${i * height}" width="${width}" height="${height}">${uses.join("")}</svg>`;
  });
  const steps = frames.map(
    ({ atMs }, i) => `${((100 * atMs) / lengthMs).toFixed(3)}%{transform:translateY(${-i * height}px)}`,
  );
  const end = `translateY(${-(frames.length - 1) * height}px)`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" fill="${COLOURS.text}" font-size="14" font-family="${FONTS}">
<style>text{white-space:pre}
.film{animation:play ${(lengthMs / 1_000).toFixed(2)}s step-end infinite}
@keyframes play{${steps.join("")}100%{transform:${end}}}
@media (prefers-reduced-motion:reduce){.film{animation:none;transform:${end}}}</style>
<defs>${[...lines].map(([drawn, id]) => `<g id="${id}">${drawn}</g>`).join("\n")}</defs>
<rect width="${width}" height="${height}" rx="8" fill="${COLOURS.background}" stroke="${COLOURS.frame}"/>
${["#e5707a", "#e3c070", "#8fc27f"].map((fill, i) => `<circle cx="${20 + 18 * i}" cy="18" r="5.5" fill="${fill}"/>`).join("")}
<text x="${width / 2}" y="23" text-anchor="middle" opacity="0.6">${escaped(title)}</text>
<svg x="${MARGIN.side}" y="${MARGIN.top}" width="${width - MARGIN.side}" height="${height - MARGIN.top}"><g class="film">
${pictures.join("\n")}
</g></svg>
</svg>
`;
}

/** The length of each run is set, so that columns stay under each other in any font. */
function lineOf(runs) {
  return runs
    .map(({ x, style, text, cells }) => {
      const at = (x * CELL.width).toFixed(1);
      const length = (cells * CELL.width).toFixed(1);
      return `<text x="${at}" y="14" textLength="${length}" lengthAdjust="spacingAndGlyphs"${style}>${escaped(text)}</text>`;
    })
    .join("");
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
