/** Stands between parts of a page's text that do not follow each other there. No quotation goes across it. */
export const PART_BOUNDARY = "\u001e";

/**
 * Ends the main part of a page. It is for reading alone, since the search for it leaves things out: quotations are looked for in
 * what follows.
 */
export const MAIN_PART_END = `${PART_BOUNDARY}\u001f`;
