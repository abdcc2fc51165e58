export { inParallel, until } from "../../siege/abuse/expect.js";

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}
