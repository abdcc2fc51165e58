/** What the fake CLI answers when it is asked for a long report: many lines, the last of which is known. */
export const LAST_LINE = "This is the last line of the long report.";
export const LINES = Array.from({ length: 1_900 }, (_, at) => `Line ${at + 1} says a "quoted" thing of the tower [1].`);
