import { posix, win32 } from "node:path";
import type { Io } from "../../host/io.js";

/** Also of others: `GEMINI_CLI_CUSTOM_HEADERS`. */
const SECRET_NAME = /(?:KEYS?|TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|HEADERS?|COOKIES?|(?:^|_)(?:AUTH|PWD))$/i;
/** `Authorization: …`, `Bearer …`, `sk-…`, `AIza…`, `ghp_…`, a private key. */
const SECRET_VALUE =
  /\b(?:authorization|x-goog-api-key|x-api-key|cookie)\s{0,5}:|\bbearer\s|\b(?:sk|pk|rk|fc)-\w{8}|\bAIza\w{8}|\bgh[opsu]_\w{8}|PRIVATE KEY-/i;
/** `http://user:password@host`, `redis://:password@host`, `…?key=…`. */
const CREDENTIALS = /\/\/[^/?#@\s]{0,500}@|[?&](?:api_?)?(?:key|token|secret|password|sig(?:nature)?)=/i;
/** A reference to another variable: all of the value. */
const REFERENCE = /^\$(?:\{[^{}]*\}|\w+)$/;

/** Names of variables that hold a secret, not a reference to another variable such as `${GEMINI_API_KEY}`. */
export function literalSecrets(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => isSecret(name, value.trim()))
    .map(([name]) => name);
}

function isSecret(name: string, value: string): boolean {
  if (value === "" || REFERENCE.test(value)) return false;
  return SECRET_NAME.test(name) || SECRET_VALUE.test(value) || CREDENTIALS.test(value);
}

/** The file of Gemini CLI for a person's variables: it and this server read it, whoever starts them. */
export function keyFile({ env, host }: Pick<Io, "env" | "host">): string {
  const { join } = host.platform === "win32" ? win32 : posix;
  return join(env["GEMINI_CLI_HOME"] || host.homeDir, ".gemini", ".env");
}
