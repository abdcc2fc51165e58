/** What one run asks of the CLI's command line and of its standard input. */
export interface CommandLine {
  model?: string | undefined;
  policyFile: string;
  /** Folders of the files that may be read. */
  folders: readonly string[];
  /** Names of the MCP servers that may start. */
  mcpServers: readonly string[];
}

/** Stands for "none": an empty list would mean "all". */
export const NO_SERVER = "__none__";

/** The arguments of a run. Nothing of the prompt is among them; a model name that begins with `-` is refused before. */
export function toArguments(line: CommandLine): string[] {
  const servers = line.mcpServers.length > 0 ? line.mcpServers : [NO_SERVER];
  return [
    ...["--output-format", "stream-json"],
    "--approval-mode=default",
    `--admin-policy=${line.policyFile}`,
    "--extensions=none",
    ...servers.map((name) => `--allowed-mcp-server-names=${name}`),
    ...line.folders.map((folder) => `--include-directories=${folder}`),
    ...(line.model === undefined ? [] : ["--model", line.model]),
  ];
}

/** The arguments of a process that serves several runs. What differs between them stands in the settings of each. */
export function toServerArguments(): string[] {
  return ["--acp", "--approval-mode=default", "--extensions=none"];
}

/** The CLI reads no more than this from its standard input. */
export const MAX_STDIN_BYTES = 8 * 1024 * 1024;

/**
 * The first byte of every prompt. A process that is started ahead gets it at once: without a first byte within 500 ms
 * the CLI gives up.
 */
export const FIRST_CHUNK = "/";

/** The command of our own that takes a prompt as its argument. */
export const COMMAND_NAME = "request";

/** What the command puts before its argument. */
export const COMMAND_FILE = 'description = "A request"\nprompt = "# Request"\n';

/**
 * What follows {@link FIRST_CHUNK}, so that the model gets the prompt byte for byte.
 *
 * The CLI runs a text that begins with `/` as a command and includes the file or folder that an `@path` anywhere in
 * it names, the working directory itself for `@./`. It has no switch for either. A text that begins with `//` is no
 * command; and what is given to a command as its argument is not searched for `@`. The lines around the prompt also
 * keep its first and last blanks, which the CLI would trim.
 */
export function toStdin(prompt: string): string {
  return framed(prompt.includes("@") ? COMMAND_NAME : "/ Request", prompt);
}

/** The same for one of several runs, where `@path` is text. For one that begins with `/` the CLI starts git first. */
export function toPromptText(prompt: string): string {
  return framed("# Request", prompt);
}

function framed(heading: string, prompt: string): string {
  return `${heading}\n${prompt}\n\n(end of the request)\n`;
}
