/** What may stand around a value without being a part of it: the blanks of JSON, byte order marks and the like. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9 || code === 0xfeff || code === 0xa0 || code === 0x200b;
}
