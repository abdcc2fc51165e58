/** Where the texts of pages are kept, each by its hash. */
export interface PageStore {
  /** Gives the text, or `undefined` when it is not there any more. */
  load(textSha256: string): Promise<string | undefined>;
  /** Keeps a text; one that is there stays. */
  save(textSha256: string, text: string): Promise<void>;
}

/** Keeps texts as long as the process lives. */
export function createMemoryPageStore(): PageStore {
  const texts = new Map<string, string>();
  return {
    load: async (hash) => texts.get(hash),
    async save(hash, text) {
      texts.set(hash, text);
    },
  };
}
