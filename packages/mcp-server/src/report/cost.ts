import type { Prices } from "../host/prices.js";

/**
 * What a research has cost, about, in US dollars. What is neither input nor named output (thoughts, tools) counts as
 * output, as Google bills it. `undefined`: there is no price for the model, or the tokens are not known.
 */
export function costOf(
  { model, usage }: { model: string; usage?: { input_tokens?: unknown; total_tokens?: unknown } | undefined },
  prices: Prices,
): number | undefined {
  const price = Object.hasOwn(prices, model) ? prices[model] : Object.hasOwn(prices, "*") ? prices["*"] : undefined;
  const { input_tokens: input, total_tokens: total } = usage ?? {};
  if (price === undefined || typeof input !== "number" || typeof total !== "number" || total < input) return undefined;
  return (input * price.input + (total - input) * price.output) / 1_000_000;
}

/** `about $0.12`; less than a cent with more digits. */
export function costInWords(dollars: number): string {
  return `about $${dollars < 0.01 ? dollars.toPrecision(1) : dollars.toFixed(2)}`;
}
