const PLACEHOLDER =
  /^(?:<[^<>]*>|\$\{[^{}]*\}|\$\w+|(?:your|the|my)[-_ ]?(?:gemini[-_ ]?)?(?:api[-_ ]?)?(?:key|token)(?:[-_ ]?here)?|…|\.{3}|x+)$/i;

/** Whether a value is what an example shows in the place of a key or a token, or a reference that nobody has filled in. */
export function isPlaceholder(value = ""): boolean {
  return PLACEHOLDER.test(value.trim());
}
