/** How numbers were written: parsed, `1.10` and a long id lose digits. */

const TOKEN = /\s*(?:("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|([[{])|([\]}])|(,)|([^\s[\]{},:"]+))/y;

/** The digits of the numbers of a JSON text that are written in another way than JavaScript would, by their paths. */
export function oddNumbersOf(json: string): ReadonlyMap<string, string> {
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
  return found;
}
