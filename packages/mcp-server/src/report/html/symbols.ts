const symbol = (path: string) => `<svg class="symbol" viewBox="0 0 16 16" aria-hidden="true"><path d="${path}"/></svg>`;

/** What a claim or a report is, told apart by shape and not by colour alone. */
export const SYMBOLS = {
  supported: symbol("M3 8.5 6.5 12 13 4.5"),
  disputed: symbol("M8 3v6M8 12.2v.6"),
  unsupported: symbol("M4 4l8 8M12 4l-8 8"),
} as const;

/** The icon of the page in a browser's tab. */
export const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="14" cy="14" r="9" fill="none" stroke="#3b6ea5" stroke-width="4"/><path d="m21 21 8 8" stroke="#3b6ea5" stroke-width="4" stroke-linecap="round"/><path d="m10 14 3 3 6-6" fill="none" stroke="#3b6ea5" stroke-width="3"/></svg>';
