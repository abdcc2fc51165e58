import { earlierInWords } from "../jobs/earlier.js";
import { earlierJob } from "../jobs/earlier-job.js";
import type { JobRequest, JobTool } from "../jobs/job-record.js";
import { withPast } from "../jobs/plans.js";
import type { Outgoing } from "../report/outgoing.js";
import type { Answer } from "./answer.js";
import type { Input } from "./arguments.js";
import { answerOf, awaitJob } from "./await-job.js";
import { unknownJobAnswer } from "./job-id.js";
import type { Call } from "./tool.js";

/** Answers a question: starts its research or joins one that was begun, and waits as long as the call may. */
export async function askedFor(
  tool: JobTool,
  request: JobRequest,
  { input, call }: { input: Input; call: Call },
): Promise<Outgoing<Answer>> {
  const { follow_up_of: followed } = input;
  const before = followed === undefined ? undefined : await earlierJob(call.jobs, String(followed));
  if (followed !== undefined && before === undefined) return unknownJobAnswer(followed);
  const followUpOf = before && { followUpOf: before.earlier };
  const asked = await withPast(call.jobs, tool, { ...request, ...followUpOf });
  const { job, earlier } = await call.jobs.start(tool, asked);
  const continued = earlier && earlierInWords(earlier);
  return answerOf(await awaitJob(job, input, call), { continued }, call);
}
