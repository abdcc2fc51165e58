/** The little of citation-js that the tests use; it brings no types. */
declare module "@citation-js/core" {
  export class Cite {
    /** @param text In any format whose plugin is loaded. */
    constructor(text: string);
    /** What was read, as CSL-JSON. */
    data: unknown[];
  }
}
