/** A failed request to the API. */
export interface ApiFailure {
  /** `/v1beta/models/gemini-2.5-flash:generateContent` */
  path: string;
  /** What the API answered. */
  status?: number;
  /** Why there was no answer: `ECONNREFUSED` … */
  code?: string;
  /** With `code`: where it was sent, when that is not Google's own API: `http://127.0.0.1:8080`. */
  origin?: string;
  /** The CLI repeated the request without a pause and was ended for it. */
  runaway?: boolean;
}
