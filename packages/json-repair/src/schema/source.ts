/** How numbers were written: parsed, `1.10` and a long id lose digits. */

const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|([[{])|([\]}])|(,)|([^\s[\]{},:"]+))/y;

/** Numbers that are written in another way than JavaScript would. */
export interface OddNumbers {
  /** Their digits, by their paths. */
  byPath: ReadonlyMap<string, string>;
  values: ReadonlySet<number>;
}

/** The odd numbers of a JSON text. */
export function oddNumbersOf(json: string): OddNumbers {
  const found = new Map<string, string>();
  const levels: { list: boolean; key: string | number }[] = [];
  TOKEN.lastIndex = 0;
  for (let token = TOKEN.exec(json); token; token = TOKEN.exec(json)) {
    const [, text, colon, opener, closer, comma, scalar] = token;
    const level = levels.at(-1);
    if (opener) levels.push({ list: opener === "[", key: 0 });
    else if (closer) levels.pop();
    else if (comma && level?.list) (level.key as number)++;
    else if (text && colon && level) level.key = JSON.parse(text) as string;
    else if (scalar && /^-?\d/.test(scalar) && String(Number(scalar)) !== scalar)
      found.set(JSON.stringify(levels.map(({ key }) => key)), scalar);
  }
  return { byPath: found, values: new Set([...found.values()].map(Number)) };
}
