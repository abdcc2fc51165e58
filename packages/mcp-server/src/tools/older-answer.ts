import type { JobRecord } from "../jobs/job-record.js";
import { type Outgoing, outgoing } from "../report/outgoing.js";
import { type Answer, type AnswerOptions, finishedAnswer } from "./answer.js";

/** The envelope of the older tool, its keys and nothing else; in pages where the client would cut it. */
export function olderAnswer(record: JobRecord, { limits }: Pick<AnswerOptions, "limits">): Outgoing<Answer> {
  const { result: report, metadata, ...answer } = finishedAnswer(record, { limits, detail: "full" }) as Answer;
  return outgoing("report" in answer ? (record.report as unknown as Answer) : { success: true, report, metadata });
}
