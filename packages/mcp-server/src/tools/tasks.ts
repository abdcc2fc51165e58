import { type Offload, type Task, TooManyTasks } from "../isolation/offload.js";
import { BusyError } from "../jobs/busy.js";
import type { JobRecord } from "../jobs/job-record.js";
import { toDocument } from "../report/document.js";
import { type Outgoing, outgoing, outgoingText } from "../report/outgoing.js";
import { type Answer, type AnswerOptions, failedAnswer, finishedAnswer } from "./answer.js";
import { olderAnswer } from "./older-answer.js";

interface AnswerInput {
  /** Of a finished job. */
  record: JobRecord;
  options: AnswerOptions;
}

/** What is made of a report, however long it is: pure, so that it can be done elsewhere. */
export const TASKS = {
  answer: ({ record, options }: AnswerInput): Outgoing<Answer> => {
    try {
      return finishedAnswer(record, options);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return failedAnswer({ code: "INVALID_INPUT", message: error.message });
    }
  },
  "older-answer": ({ record, options }: AnswerInput): Outgoing<Answer> => olderAnswer(record, options),
  document: ({ record }: Pick<AnswerInput, "record">): string => outgoingText(toDocument(outgoing(record))),
} satisfies Record<string, Task>;

export type Tasks = typeof TASKS;

/** A report of fewer characters is worked on in place: that takes a few milliseconds at most. */
const LONG = 16 * 1024;
/** What an entry of a list takes, about. */
const ENTRY = 200;

/** Whoever has a place for long texts gives it when it is asked for. */
export type FindOffload = () => Promise<Offload | undefined>;

/** Does a task: in place where the report is short, else where it holds nobody up. */
export async function doTask<K extends keyof Tasks>(
  name: K,
  input: Parameters<Tasks[K]>[0],
  find: FindOffload | undefined,
): Promise<ReturnType<Tasks[K]>> {
  const length = lengthOf(input.record);
  const offload = find === undefined || length < LONG ? undefined : await find();
  if (offload === undefined) return (TASKS[name] as Task)(input as never) as ReturnType<Tasks[K]>;
  const size = { of: input.record.report, length };
  return shared(name, input, () => offload(name, input, size).catch(asBusy)) as Promise<ReturnType<Tasks[K]>>;
}

/** What is being made of long reports, by report, then by what is wanted. */
const UNDER_WAY = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Many who want the same of one report at once get what the first one began. */
function shared(name: string, { record, ...wanted }: { record: JobRecord }, begin: () => Promise<unknown>) {
  const { id, report } = record;
  if (report === undefined) return begin();
  const all = UNDER_WAY.get(report) ?? new Map<string, Promise<unknown>>();
  UNDER_WAY.set(report, all);
  const key = JSON.stringify([name, id, wanted]);
  const begun = all.get(key) ?? begin().finally(() => all.delete(key));
  all.set(key, begun);
  return begun;
}

function asBusy(error: unknown): never {
  throw error instanceof TooManyTasks ? new BusyError("too many long reports are asked for at once") : error;
}

/** In characters, about. */
function lengthOf({ report, request }: JobRecord): number {
  if (report === undefined) return 0;
  const { evidence, sources_visited, rounds } = report.metadata as Record<string, unknown>;
  const { claims, sources } = (evidence ?? {}) as Record<string, unknown>;
  const entries = [claims, sources, sources_visited, rounds].map((list) => (Array.isArray(list) ? list.length : 0));
  const text = "report" in report ? report.report : report.result;
  return (
    String(text).length +
    String(request.query ?? request.topic).length +
    ENTRY * entries.reduce((sum, length) => sum + length, 0)
  );
}
