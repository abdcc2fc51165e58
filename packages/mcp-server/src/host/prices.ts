/** US dollars for a million tokens, by the name of a model; `*` is for every other one. */
export type Prices = Readonly<Record<string, { input: number; output: number }>>;

/** `gemini-3-flash-preview=0.3/2.5, *=1.25/10`; `undefined`: it is none. */
export function readPrices(text: string): Prices | undefined {
  const prices = new Map<string, Prices[string]>();
  for (const part of text.split(",")) {
    const [, name, input, output] =
      /^\s?([\w.*-]{1,100})\s?=\s?(\d{1,6}(?:\.\d{1,6})?)\/(\d{1,6}(?:\.\d{1,6})?)\s?$/.exec(part) ?? [];
    if (name === undefined) return undefined;
    prices.set(name, { input: Number(input), output: Number(output) });
  }
  return Object.fromEntries(prices);
}
