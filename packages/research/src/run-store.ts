/** Where the state of a research is kept between rounds. */
export interface RunStore {
  /** Gives the state, or `undefined` when there is none under this id. Rejects with a `ResearchError` that names a damaged record. */
  load(id: string): Promise<unknown>;
  /** Replaces the state as a whole: a crash leaves the old one or the new one. */
  save(id: string, state: unknown): Promise<void>;
  /** Gives all ids, that of the last saved first. */
  list(): Promise<string[]>;
  /** Deletes the state; one that is not there is no failure. */
  remove(id: string): Promise<void>;
  /** Says where the record of an id stands, in words for the person. */
  locate?(id: string): string;
}

/** Keeps states as long as the process lives. */
export function createMemoryRunStore(): RunStore {
  const states = new Map<string, string>();
  return {
    async load(id) {
      const state = states.get(id);
      return state === undefined ? undefined : JSON.parse(state);
    },
    async save(id, state) {
      const text = JSON.stringify(state);
      // A key that is there keeps its place.
      states.delete(id);
      states.set(id, text);
    },
    list: async () => [...states.keys()].reverse(),
    async remove(id) {
      states.delete(id);
    },
  };
}
