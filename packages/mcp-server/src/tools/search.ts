import { askedFor } from "./asked.js";
import { searchDefinition } from "./definitions/index.js";
import { toRequest } from "./question.js";
import { toResult } from "./result.js";
import type { Tool } from "./tool.js";

export const search: Tool = {
  definition: searchDefinition,
  async call(input, call) {
    return toResult(await askedFor("search", await toRequest(input, call), { input, call }), call.limits);
  },
};
