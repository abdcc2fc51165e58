import type { Io } from "../host/io.js";
import { EXIT } from "./exit-codes.js";
import { CLIENTS, type Client, type ClientName, describeClient } from "./setup/clients.js";
import { planChange, writeChange } from "./setup/config-file.js";
import { mergeJson } from "./setup/merge-json.js";
import { mergeToml } from "./setup/merge-toml.js";
import { SetupError } from "./setup/merged.js";
import { screenOf } from "./terminal/paint.js";

export interface SetupOptions {
  print?: boolean;
  project?: boolean;
  yes?: boolean;
  /** Variables for the server, `NAME=VALUE`. */
  env: Readonly<Record<string, string>>;
}

/** Puts the server into a client's configuration, or prints what would stand there. Gives the exit code. */
export async function setUp(names: readonly ClientName[], options: SetupOptions, io: Io): Promise<number> {
  const chosen = names.length > 0 ? names : await askForClients(io);
  if (chosen === undefined) return 130;
  if (chosen.length === 0) {
    io.stderr.write(`Which client? One or more of: ${CLIENTS.join(", ")}\n`);
    return EXIT.usage;
  }
  let code: number = EXIT.ok;
  for (const name of chosen) {
    const client = describeClient(name, {
      host: io.host,
      env: io.env,
      variables: options.env,
      project: options.project ?? false,
    });
    if (client === undefined) {
      io.stderr.write(`${name} has no configuration for a single project.\n`);
      code = EXIT.usage;
    } else if (options.print) {
      io.stdout.write(`${snippet(client)}\n`);
      io.stderr.write(`Put this into ${client.files[0]}\n`);
    } else {
      const done = await change(client, options, io);
      if (done !== EXIT.ok) code = done;
    }
  }
  return code;
}

/** The client's whole configuration, were there nothing else in it. */
function snippet({ format, path, entry }: Client): string {
  return (format === "toml" ? mergeToml : mergeJson)("", path, entry).trim();
}

async function change(client: Client, { yes = false, project = false, env }: SetupOptions, io: Io): Promise<number> {
  const { paint } = screenOf(io.stderr, io.env);
  const say = (line: string) => io.stderr.write(`${line}\n`);
  try {
    const planned = await planChange(client);
    if (planned.after === planned.before) {
      say(`${paint.green("✓")} ${client.title} is set up already (${planned.file})`);
      return EXIT.ok;
    }
    if (!yes && io.stdin.isTTY && io.stderr.isTTY && !(await confirmed(client, planned.file, io))) {
      say("Nothing was changed.");
      return EXIT.ok;
    }
    const backup = await writeChange(planned, new Date());
    say(`${paint.green("✓")} ${client.title}: wrote ${planned.file}`);
    if (backup !== undefined) say(`  What was there before: ${backup}`);
    say(`  ${client.next}`);
    const secrets = project ? secretsIn(env) : [];
    if (secrets.length > 0) {
      say(`  ${secrets.join(", ")} can be read in this file of the project: keep it out of version control.`);
    }
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`${paint.red("✗")} ${error.message}`);
    say(`  It was left as it is. \`${io.command} setup ${client.name} --print\` shows what to put there by hand.`);
    return EXIT.failed;
  }
}

/** Names of variables that hold a secret, not a reference to another variable. */
function secretsIn(variables: SetupOptions["env"]): string[] {
  return Object.entries(variables)
    .filter(([name, value]) => /(?:KEY|TOKEN|SECRET|PASSWORD)$/i.test(name) && !value.startsWith("$"))
    .map(([name]) => name);
}

async function confirmed(client: Client, file: string, { stdin, stderr, signal }: Io): Promise<boolean> {
  const { confirm, isCancel, note } = await import("@clack/prompts");
  note(snippet(client), file, { output: stderr, format: (line) => line });
  const answer = await confirm({
    message: `Put this into ${client.title}'s configuration?`,
    input: stdin,
    output: stderr,
    signal,
  });
  return !isCancel(answer) && answer;
}

/** `undefined`: the person changed their mind. Nobody to ask: none. */
async function askForClients({ stdin, stderr, signal }: Io): Promise<readonly ClientName[] | undefined> {
  if (!stdin.isTTY || !stderr.isTTY) return [];
  const { isCancel, multiselect } = await import("@clack/prompts");
  const answer = await multiselect<ClientName>({
    message: "Which clients are to know the server? (space selects, enter goes on)",
    options: CLIENTS.map((value) => ({ value, label: TITLES[value] })),
    input: stdin,
    output: stderr,
    signal,
  });
  return isCancel(answer) ? undefined : answer;
}

const TITLES: Readonly<Record<ClientName, string>> = {
  "claude-code": "Claude Code",
  "claude-desktop": "Claude Desktop",
  codex: "Codex",
  gemini: "Gemini CLI",
  vscode: "VS Code",
  cursor: "Cursor",
  windsurf: "Windsurf",
  zed: "Zed",
  cline: "Cline",
};
