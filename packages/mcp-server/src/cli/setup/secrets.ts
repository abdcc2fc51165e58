import { posix, win32 } from "node:path";
import type { Io } from "../../host/io.js";

/** Names of variables that hold a secret, not a reference to another variable such as `${GEMINI_API_KEY}`. */
export function literalSecrets(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => /(?:KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) && !value.startsWith("$"))
    .map(([name]) => name);
}

/** The file of Gemini CLI for a person's variables: it and this server read it, whoever starts them. */
export function keyFile({ env, host }: Pick<Io, "env" | "host">): string {
  const { join } = host.platform === "win32" ? win32 : posix;
  return join(env["GEMINI_CLI_HOME"] || host.homeDir, ".gemini", ".env");
}
