/** Pages without the lines that stand on each of them: a sentence goes on behind them. */
export interface BarePages {
  pages: string[];
  /** Those lines, each once but for its numbers. */
  running: string[];
}

/** Lines at the top or at the bottom of a page that may be such. */
const MAX_LINES = 3;
/** Left and right pages may have other ones: pages that are so far from each other are compared. */
const NEIGHBOURS = [-2, -1, 1, 2];
const LONGEST = 300;

/** Takes the lines away that open or close neighbouring pages alike: titles and numbers of pages. */
export function withoutRunningLines(pages: readonly string[]): BarePages {
  const left = pages.map((page) => page.split("\n"));
  const running = new Map<string, string>();
  for (const edge of [0, -1]) {
    for (let round = 0; round < MAX_LINES; round++) {
      const outer = left.map((lines) => readLine(lines.at(edge)));
      const isRunning = outer.map((line, at) => NEIGHBOURS.some((by) => isSame(line, outer[at + by], by)));
      if (!isRunning.includes(true)) break;
      for (const [at, lines] of left.entries()) {
        if (!isRunning[at]) continue;
        const [line = ""] = lines.splice(edge, 1);
        const { words = "" } = outer[at] ?? {};
        if (/\p{L}/u.test(words) && !running.has(words)) running.set(words, line.trim());
      }
    }
  }
  return { pages: left.map((lines) => lines.join("\n").trim()), running: [...running.values()] };
}

interface Line {
  /** With `#` for each number. */
  words: string;
  numbers: number[];
}

function readLine(line: string | undefined): Line | undefined {
  const text = line?.trim() ?? "";
  if (text === "" || text.length > LONGEST) return undefined;
  return { words: text.replace(/\d+/g, "#"), numbers: (text.match(/\d+/g) ?? []).map(Number) };
}

/** Whether two lines are the same but for one number, that of their pages. */
function isSame(line: Line | undefined, other: Line | undefined, by: number): boolean {
  if (line === undefined || other === undefined || line.words !== other.words) return false;
  const different = line.numbers.flatMap((number, at) => {
    const there = other.numbers[at] as number;
    return number === there ? [] : [there - number];
  });
  return different.length === 0 ? line.words !== "#" : different.length === 1 && different[0] === by;
}
