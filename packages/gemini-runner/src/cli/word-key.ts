/** Where a message to a CLI that serves several runs holds the word by which its guard knows it. */
export const WORD_KEY = "gemini-runner";
