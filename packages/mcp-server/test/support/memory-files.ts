import { headOf, type JobHead, type JobRecord, keyOf, ownerOf } from "../../src/jobs/job-record.js";
import type { RecordFiles } from "../../src/jobs/record-files.js";

/** Keeps records as long as the test runs, and takes what a test puts in the place of one. */
export interface MemoryFiles extends RecordFiles {
  put(id: string, value: unknown): void;
}

export function createMemoryFiles(): MemoryFiles {
  const texts = new Map<string, string>();
  const read = (id: string) => JSON.parse(texts.get(id) ?? "null") ?? undefined;
  const put = (id: string, value: unknown) => {
    // One that is there comes to the end.
    texts.delete(id);
    texts.set(id, JSON.stringify(value));
  };
  const head = (id: string) => {
    const record = read(id);
    return typeof record === "object" ? headOf(record as JobRecord) : record;
  };
  return {
    directory: "the memory of the test",
    put,
    head: async (id) => head(id),
    load: async (id) => read(id),
    save: async (record) => put(record.id, record),
    remove: async (id) => {
      texts.delete(id);
    },
    heads: async () => [...texts.keys()].reverse().map(head),
    // As it is found, so that a test need not note it.
    noteLast: async () => {},
    lastOf: async (question) => {
      const isLast = ({ owner, tool, request }: JobHead) =>
        keyOf(ownerOf({ ...(owner && { owner }) }), tool, request) === question;
      return [...texts.keys()].reverse().find((id) => isLast(head(id) as JobHead));
    },
  };
}
