/** Stands between parts of a page's text that do not follow each other there. No quotation goes across it. */
export const PART_BOUNDARY = "\u001e";
