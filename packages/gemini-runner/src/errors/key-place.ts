/** Where a key was taken from; never the key. */
export interface KeyPlace {
  /** `GEMINI_API_KEY`, or with Vertex AI `GOOGLE_API_KEY`. */
  variable: string;
  /**
   * The file whose line says it, as people name it: `~/.gemini/.env`, with `$GEMINI_CLI_HOME` in the place of `~` where that is
   * set. Where the home is stays on this machine. Without a file it is the environment.
   */
  file?: string;
}
