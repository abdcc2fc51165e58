/**
 * How many more brackets close than open between two places, with double quotes in mind, after one pass over the
 * text. Which quotes open a string depends on where one starts, so both readings are kept.
 */
export class Brackets {
  readonly #quoted: Uint8Array;
  readonly #net: readonly [Int32Array, Int32Array];

  constructor(text: string) {
    const length = text.length + 1;
    const quoted = new Uint8Array(length);
    const net = [new Int32Array(length), new Int32Array(length)] as const;
    const sums: [number, number] = [0, 0];
    let odd: 0 | 1 = 0;
    let backslashes = 0;
    for (let i = 0; i < text.length; i++) {
      quoted[i] = odd;
      net[0][i] = sums[0];
      net[1][i] = sums[1];
      const c = text.charCodeAt(i);
      // Of two backslashes before it, the first one stands for the second one.
      if (c === 34 && backslashes % 2 === 0) odd = odd === 0 ? 1 : 0;
      else if (c === 123 || c === 91) sums[odd]--;
      else if (c === 125 || c === 93) sums[odd]++;
      backslashes = c === 92 ? backslashes + 1 : 0;
    }
    quoted[length - 1] = odd;
    net[0][length - 1] = sums[0];
    net[1][length - 1] = sums[1];
    this.#quoted = quoted;
    this.#net = net;
  }

  /** From `from` to `to`, if `start` stands outside of strings. */
  net(start: number, from: number, to: number): number {
    const sums = this.#net[this.#quoted[start] === 1 ? 1 : 0];
    return (sums[to] ?? 0) - (sums[from] ?? 0);
  }
}
