/** What a text must not hold when it is handed to a client: it may do something there that nobody asked for. */
const CHARACTERS: readonly [string, RegExp][] = [
  ["a control character", /(?![\t\n\r])\p{Cc}/u],
  ["a character that turns the direction of writing", /[\u202A-\u202E\u2066-\u2069]/],
  ["a tag character", /[\u{E0000}-\u{E007F}]/u],
];
const MARKDOWN: readonly [string, RegExp][] = [
  ["an image that a host would load", /(?<!\\)!\[[^\]]{0,200}\][([]/],
  ["raw HTML", /(?<!\\)<(?:img|script|iframe|svg|object|embed|form|style|link|meta|base|video|audio|a)[\s/>]/i],
  ["a link that runs or holds something", /(?:\]\(\s*<?\s*|(?<!\\)<)(?:javascript|data|vbscript):/i],
];

/** The dangers in a log. */
export function dangersInLog(text: string): string[] {
  return found(CHARACTERS, text);
}

/** The dangers in every text of a message, in the names of its fields, and in texts that are JSON themselves. */
export function dangersIn(message: unknown): string[] {
  const seen = new Set<string>();
  for (const next: unknown[] = [message]; next.length > 0; ) {
    const value = next.pop();
    if (typeof value === "string") {
      const inner = asJson(value);
      if (inner !== undefined) next.push(inner);
      else for (const danger of found([...CHARACTERS, ...MARKDOWN], value)) seen.add(danger);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, each] of Object.entries(value)) next.push(key, each);
    }
  }
  return [...seen];
}

function asJson(text: string): object | undefined {
  if (!text.startsWith("{")) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function found(list: readonly [string, RegExp][], text: string): string[] {
  return list.flatMap(([name, pattern]) => {
    const hit = pattern.exec(text);
    if (hit === null) return [];
    const around = text.slice(Math.max(0, hit.index - 15), hit.index + 30);
    return [`${name}: ${JSON.stringify(around)}`];
  });
}
