import { findCli, findOtherClis } from "@x/gemini-runner";
import type { Config } from "../../host/config.js";
import type { Io } from "../../host/io.js";
import { type Check, failedCheck } from "./check.js";

/** Which CLI runs use. `version`: of the Gemini CLI alone. */
export async function cliCheck(
  config: Config,
  { env, host, command }: Pick<Io, "env" | "host" | "command">,
): Promise<{ check: Check; version?: string | undefined }> {
  const name = "Gemini CLI";
  try {
    const { version, args, file } = await findCli({ command: config.cliPath, env, platform: host.platform });
    const program = args[0] ?? file;
    if (version !== undefined) return { check: { name, status: "ok", summary: `${version} (${program})` }, version };
    const check: Check = {
      name,
      status: "warning",
      summary: `${program} is not known to be the Gemini CLI: it has no version`,
      fix: `\`${command} doctor --live\` shows whether it answers. If it is another program of that name, name the right one: \`${command} config set cliPath PATH\`.`,
    };
    return { check };
  } catch (error) {
    return { check: failedCheck(name, error, config) };
  }
}

/** Who types `gemini`, or updates it, may have another one in mind than the one that runs use. */
export async function otherClisCheck(
  { check, version }: Awaited<ReturnType<typeof cliCheck>>,
  { cliPath, origins }: Config,
  { env, host, command }: Pick<Io, "env" | "host" | "command">,
): Promise<Check | undefined> {
  const others = await findOtherClis({ command: cliPath, env, platform: host.platform });
  if (others.length === 0) return undefined;
  const named = others.map((other) => `${other.version ?? "another program"} (${other.file})`).join(", ");
  const found = { name: "Other CLI", summary: `on PATH, and not used: ${named}` };
  if (others.every((other) => other.version !== undefined && other.version === version))
    return { ...found, status: "ok" };
  const origin = origins.get("GEMINI_CLI_PATH");
  const why = origin === undefined ? "the first on PATH" : `which ${origin.name} names`;
  const used = check.status === "failed" ? "None of them is used." : `Runs use the one above, ${why}.`;
  const choice =
    origin !== undefined && origin.key === undefined
      ? `correct ${origin.name}`
      : `\`${command} config set cliPath PATH\``;
  return { ...found, status: "warning", fix: `${used} To choose another: ${choice}.` };
}
