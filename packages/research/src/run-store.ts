/** Where the state of a research is kept between rounds. */
export interface RunStore {
  /** `undefined` when there is none under this id. Rejects with a `ResearchError` that names a damaged record. */
  load(id: string): Promise<unknown>;
  /** Replaces the state as a whole: a crash leaves the old one or the new one. */
  save(id: string, state: unknown): Promise<void>;
  list(): Promise<string[]>;
  remove(id: string): Promise<void>;
}
