/** Where a key was taken from; never the key. */
export interface KeyPlace {
  /** `GEMINI_API_KEY`, or with Vertex AI `GOOGLE_API_KEY`. */
  variable: string;
  /** The file whose line says it. Without one it is the environment. */
  file?: string;
}
