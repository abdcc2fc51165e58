import { readTokens } from "../../access/token-file.js";
import type { Config } from "../../host/config.js";
import type { Io } from "../../host/io.js";
import { readQueueSettings } from "../../host/queue-settings.js";
import type { Check } from "./check.js";

/** What a server for many needs, for those who have set something for it: the checks that it makes when it starts. */
export async function* sharedChecks(config: Config, { env }: Pick<Io, "env">): AsyncGenerator<Check, void, void> {
  const { tokensFile } = config.http;
  if (tokensFile !== undefined) yield await tokensCheck(tokensFile);
  const settings = readQueueSettings(env);
  if (!settings.ok) yield { name: "Queue", status: "failed", summary: settings.problem };
  else if (settings.queue !== undefined) yield await queueCheck(settings.queue.url, config);
}

async function tokensCheck(file: string): Promise<Check> {
  const name = "Tokens";
  try {
    const tenants = new Set((await readTokens(file)).map((entry) => entry.name));
    return { name, status: "ok", summary: `for ${tenants.size} tenant${tenants.size === 1 ? "" : "s"} (${file})` };
  } catch (error) {
    return { name, status: "failed", summary: (error as Error).message };
  }
}

async function queueCheck(url: string, { keepMs }: Config): Promise<Check> {
  const name = "Queue";
  try {
    const { openEngine } = await import("../../queue/open-engine.js");
    const engine = await openEngine({ url, log: () => {}, keepMs, now: Date.now });
    try {
      const problem = await engine.problem();
      // The address may hold a password.
      if (problem === undefined) return { name, status: "ok", summary: `reached (${new URL(url).host})` };
      return { name, status: "failed", summary: problem.text };
    } finally {
      await engine.close();
    }
  } catch (error) {
    return { name, status: "failed", summary: (error as Error).message };
  }
}
