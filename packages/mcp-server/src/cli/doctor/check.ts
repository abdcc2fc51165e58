/** One thing that was looked at. */
export interface Check {
  name: string;
  status: "ok" | "warning" | "failed";
  /** What was found; never a key. */
  summary: string;
  /** What to do about it. */
  fix?: string;
  /** The error that a research would end with. */
  code?: string;
}
