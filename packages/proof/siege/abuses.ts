import { ANSWERS } from "./abuse/answers.js";
import { ARGUMENTS } from "./abuse/arguments.js";
import { CROWDS } from "./abuse/crowds.js";
import { JOBS } from "./abuse/jobs.js";
import { MESSAGES } from "./abuse/messages.js";
import { OUTPUT } from "./abuse/output.js";
import { REQUESTS } from "./abuse/requests.js";
import { SOCKETS } from "./abuse/sockets.js";
import type { Abuse, Group } from "./ground.js";

/** Everything that is done to the server, in the order of the first wave. */
export const GROUPS: readonly Group[] = [REQUESTS, MESSAGES, ARGUMENTS, JOBS, SOCKETS, CROWDS, OUTPUT, ANSWERS];

export const ABUSES: readonly Abuse[] = GROUPS.flatMap(({ abuses }) => abuses);
