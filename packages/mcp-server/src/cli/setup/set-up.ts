import { EXIT } from "../../host/exit-codes.js";
import type { Io } from "../../host/io.js";
import { loadConfig } from "../../host/load-config.js";
import { fail } from "../terminal/fail.js";
import { layOut } from "../terminal/layout.js";
import { type Screen, screenOf } from "../terminal/paint.js";
import { told } from "../terminal/told.js";
import { BY_HAND_PAGE } from "./by-hand.js";
import { type ByHandState, byHandStates } from "./by-hand-states.js";
import type { Client, ClientName, ClientOptions } from "./client.js";
import { type ClientState, clientStates, isInstalled } from "./client-states.js";
import { describeClient } from "./clients.js";
import { planChange, writeChange } from "./config-file.js";
import { mergeJson } from "./merge-json.js";
import { mergeToml } from "./merge-toml.js";
import { SetupError } from "./merged.js";
import { keyFile, literalSecrets } from "./secrets.js";

/** As they are typed. */
export interface SetupOptions {
  print?: boolean;
  project?: boolean;
  yes?: boolean;
  /** Variables for the server. */
  env?: Readonly<Record<string, string>>;
}

/** Puts the server into clients' configurations, or prints what would stand there. Gives the exit code. */
export async function setUp(names: readonly ClientName[], options: SetupOptions, io: Io): Promise<number> {
  const say = (line: string) => io.stderr.write(`${line}\n`);
  const { env: variables = {} } = options;
  const clientOptions: ClientOptions = {
    host: io.host,
    env: io.env,
    variables,
    launch: io.checkout === undefined ? undefined : { command: process.execPath, args: [io.checkout] },
    project: options.project ?? false,
  };
  const secrets = literalSecrets(variables);
  if (options.project && secrets.length > 0) {
    const message = `A secret does not go into a file of the project: ${secrets.join(", ")}.`;
    const details = `Put it into ${keyFile(io)} instead, which Gemini CLI and this server read. Nothing was written.`;
    return fail({ code: "INVALID_INPUT", message, details }, {}, io);
  }
  const chosen = names.length > 0 ? names : await chooseClients(clientOptions, io);
  if (chosen === undefined) return 130;
  if (io.checkout !== undefined && chosen.length > 0)
    say(`This is a checkout: clients will start ${io.checkout}. Run setup again when the package is published.`);
  let code: number = EXIT.ok;
  for (const name of chosen) {
    const client = describeClient(name, clientOptions);
    if (client === undefined) {
      code = fail({ code: "INVALID_INPUT", message: `${name} has no configuration for a single project.` }, {}, io);
    } else if (options.print) {
      io.stdout.write(`${snippet(client)}\n`);
      say(`Put this into ${client.files.map((file, at) => withOwner(file, client.owners?.[at])).join(" or ")}`);
    } else {
      const done = await change(client, { ...options, secrets }, io);
      if (done !== EXIT.ok) code = done;
    }
  }
  return code;
}

function withOwner(file: string, owner: string | undefined): string {
  return owner === undefined ? file : `${file} (${owner})`;
}

/** The client's whole configuration, were there nothing else in it. */
function snippet({ format, path, entry }: Client): string {
  return (format === "toml" ? mergeToml : mergeJson)("", path, entry).trim();
}

async function change(
  client: Client,
  { yes = false, secrets }: SetupOptions & { secrets: readonly string[] },
  io: Io,
): Promise<number> {
  const { paint, columns } = screenOf(io.stderr, io.env);
  const say = (line: string) => io.stderr.write(`${line}\n`);
  const advise = (text: string) => say(layOut(text, { columns, first: "  ", wholeWords: true }).join("\n"));
  try {
    const planned = await planChange(client);
    const others = otherFiles(client, planned.file, io);
    if (planned.after === planned.before) {
      say(`${paint.green("✓")} ${client.title} is set up already (${planned.file})`);
      if (others !== undefined) advise(others);
      return EXIT.ok;
    }
    if (!yes && io.stdin.isTTY && io.stderr.isTTY && !(await confirmed(client, planned.file, io))) {
      say("Nothing was changed.");
      return EXIT.ok;
    }
    const isHere = await isInstalled(client, io);
    const backup = await writeChange(planned);
    say(`${paint.green("✓")} ${client.title}: wrote ${planned.file}`);
    if (backup !== undefined) say(`  What was there before the server: ${backup}`);
    advise(client.next);
    if (!isHere) advise(`${client.title} was not found here: it reads the file once it is installed.`);
    if (others !== undefined) advise(others);
    if (secrets.length > 0)
      advise(`${secrets.join(", ")} can be read in this file. ${keyFile(io)} would serve every client.`);
    else if (!client.seesShell)
      advise(`It does not see your shell's variables: an API key belongs into ${keyFile(io)}, as GEMINI_API_KEY=…`);
    return EXIT.ok;
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`${paint.red("✗")} ${error.message}`);
    advise(`It was left as it is. \`${io.command} setup ${client.name} --print\` shows what to put there by hand.`);
    return EXIT.failed;
  }
}

/** What is not changed, of a client that reads several files. */
function otherFiles({ name, files, owners = [] }: Client, written: string, { command }: Io): string | undefined {
  const at = files.indexOf(written);
  const other = files.findIndex((_, index) => index !== at);
  if (at === -1 || other === -1) return undefined;
  return `That is the file of its ${owners[at]}. Its ${owners[other]} has another, which was not changed: ${files[other]}. \`${command} setup ${name} --print\` shows what to put there.`;
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

/** `undefined`: the person changed their mind. With nobody to ask, it is told what there is, and none is chosen. */
async function chooseClients(options: ClientOptions, io: Io): Promise<readonly ClientName[] | undefined> {
  const [states, byHand] = await Promise.all([clientStates(options), byHandStates(options)]);
  const { stdin, stdout, stderr, signal } = io;
  if (!stdin.isTTY || !stderr.isTTY) {
    const screen = screenOf(stdout, io.env);
    const lines = [
      ...states.map((state) => stateText(state, io, screen)),
      `\n\`${io.command} setup <client>\` adds the server to one of them, also to one that is not found: it reads the file once it is installed.\n`,
      "By hand alone:",
      ...byHand.map((state) => byHandText(state, screen)),
      `\nWhat to write there: ${BY_HAND_PAGE}`,
    ];
    stdout.write(`${lines.join("\n")}\n`);
    return [];
  }
  for (const { title, file, state } of byHand)
    if (state === "installed")
      stderr.write(told("-", `${title} is set up by hand, in ${file}: ${BY_HAND_PAGE}`, stderr, io.env));
  const { isCancel, multiselect } = await import("@clack/prompts");
  const answer = await multiselect<ClientName>({
    message: "Which clients are to know the server? (space selects, enter goes on)",
    options: states.map(({ client, state, problem }) => ({
      value: client.name,
      label: client.title,
      hint: problem ?? HINTS[state],
    })),
    initialValues: states.filter(({ state }) => state === "installed").map(({ client }) => client.name),
    required: false,
    input: stdin,
    output: stderr,
    signal,
  });
  return isCancel(answer) ? undefined : answer;
}

const HINTS: Readonly<Record<ClientState["state"], string>> = {
  done: "set up already",
  installed: "installed",
  missing: "not found",
  unreadable: "its configuration cannot be read",
};

function stateText({ client, state, ...more }: ClientState, io: Io, { paint }: Screen): string {
  const title = client.title.padEnd(15);
  const how = `\`${io.command} setup ${client.name}\``;
  switch (state) {
    case "done":
      return [
        `${paint.green("✓")} ${title} set up already${more.projectFiles.map((file) => `, for this project in ${file}`).join("")}`,
        ...(more.otherFolder === undefined ? [] : elsewhere(more.otherFolder, io)),
      ].join("\n");
    case "installed":
      return `${paint.yellow("›")} ${title} installed, not set up: ${how}`;
    case "missing":
      return paint.dim(`  ${title} not found`);
    case "unreadable":
      return `${paint.red("✗")} ${title} ${more.problem}`;
  }
}

/** Who asks there and looks here finds nothing. */
function elsewhere(folder: string, io: Io): string[] {
  const here = loadConfig(io).config.configDir;
  return [
    `    keeps its researches in ${folder}`,
    `    this shell looks in     ${here} (GEMINI_SEARCH_CONFIG_DIR: set the same in both)`,
  ];
}

function byHandText({ title: name, state, file }: ByHandState, { paint }: Screen): string {
  const title = name.padEnd(15);
  if (state === "done") return `${paint.green("✓")} ${title} set up already (${file})`;
  if (state === "missing") return paint.dim(`  ${title} not found`);
  return `${paint.yellow("›")} ${title} installed, not set up: in ${file}`;
}
