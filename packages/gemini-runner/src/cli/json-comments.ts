/** Blanks the comments of a JSON text, as the CLI allows them in its settings. Strings are left as they are. */
export function stripComments(text: string): string {
  return text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g, (match) =>
    match.startsWith('"') ? match : " ",
  );
}
