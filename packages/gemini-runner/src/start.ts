import { randomUUID } from "node:crypto";
import os from "node:os";
import path from "node:path";
import { findCli } from "./availability.js";
import { CliProcess } from "./cli-process.js";
import { toArguments } from "./command-line.js";
import { compileCache } from "./compile-cache.js";
import { passedEnvironment, variablesIn } from "./environment.js";
import type { PrewarmRequest } from "./events.js";
import type { GeminiRunnerOptions } from "./options.js";
import type { Grants } from "./policy.js";
import { readSignIn } from "./sign-in.js";
import { createWorkspace } from "./workspace.js";

const DEFAULT_TOOLS = ["google_web_search", "web_fetch"];
const KILL_AFTER_MS = 1_000;

/** What is fixed when a process starts. */
export interface StartRequest {
  model?: string;
  grants: Grants;
}

export function toStartRequest(request: PrewarmRequest, { model, mcpServers = {} }: GeminiRunnerOptions): StartRequest {
  const asked = request.model ?? model;
  return {
    ...(asked === undefined ? {} : { model: asked }),
    grants: {
      tools: request.tools ?? DEFAULT_TOOLS,
      mcpServers,
      files: (request.files ?? []).map((file) => path.resolve(file)),
    },
  };
}

/** Starts a process of the CLI that waits for its prompt. */
export async function startCli({ model, grants }: StartRequest, options: GeminiRunnerOptions): Promise<CliProcess> {
  const { command, env = process.env, cwd: parent = os.tmpdir(), killAfterMs = KILL_AFTER_MS } = options;
  const [cli, signIn] = await Promise.all([findCli({ command, env }), readSignIn(env)]);
  const { GEMINI_MODEL } = env;
  const workspace = await createWorkspace({ parent, grants, signIn, model: model ?? GEMINI_MODEL });
  try {
    return await CliProcess.start({
      cli,
      args: toArguments({
        sessionId: randomUUID(),
        model,
        policyFile: workspace.policyFile,
        recordFile: workspace.recordFile,
        folders: [...new Set(grants.files.map((file) => path.dirname(file)))],
        mcpServers: Object.keys(grants.mcpServers),
      }),
      env: {
        ...passedEnvironment(env, variablesOf(grants)),
        ...signIn.env,
        // Without a login the CLI must say so, not open a browser and wait.
        NO_BROWSER: "true",
        NO_COLOR: "1",
        ...(await compileCache(parent, cli)),
        ...workspace.env,
      },
      workspace,
      killAfterMs,
    });
  } catch (error) {
    await workspace.remove();
    throw error;
  }
}

function variablesOf({ mcpServers }: Grants): string[] {
  return Object.values(mcpServers).flatMap(({ env = {} }) => Object.values(env).flatMap(variablesIn));
}
