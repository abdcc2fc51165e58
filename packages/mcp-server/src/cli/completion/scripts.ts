import type { Command, Option } from "commander";

/** For which there is a script. */
export type Shell = "bash" | "zsh" | "fish";

interface Flag {
  /** `--recency`, `-r`. */
  names: string[];
  description: string;
  value: "none" | "any" | "file" | readonly string[];
}

interface Word {
  name: string;
  description: string;
  flags: Flag[];
  /** What may stand behind it; a shell command prints more of them. */
  values: readonly string[];
  valuesFrom?: string;
}

/**
 * The completion script of a shell, made from the commands. It holds every command, option and choice, so no program
 * is started while one types, but for the ids of researches.
 */
export function completionScript(shell: Shell, name: string, commands: readonly Command[]): string {
  const words = commands.map((command) => toWord(command, name));
  return { bash, zsh, fish }[shell](name, words);
}

function toWord(command: Command, program: string): Word {
  const flags = command.createHelp().visibleOptions(command).map(toFlag);
  const [argument] = command.registeredArguments;
  const takesId = argument !== undefined && command.options.some(({ long }) => long === "--last");
  return {
    name: command.name(),
    description: command.description(),
    flags,
    values: argument?.argChoices ?? command.commands.map((inner) => inner.name()),
    ...(takesId && { valuesFrom: `${program} list --ids 2>/dev/null` }),
  };
}

function toFlag({ long, short, flags, description, argChoices, required, optional }: Option): Flag {
  const names = [long, short].filter((flag) => flag !== undefined);
  const takesFile = /<(?:file|path|folder)>/.test(flags);
  return { names, description, value: !(required || optional) ? "none" : (argChoices ?? (takesFile ? "file" : "any")) };
}

function bash(program: string, words: readonly Word[]): string {
  const rules = words.flatMap(({ name, flags, values, valuesFrom }) => [
    ...flags.flatMap(({ names, value }) => {
      if (value === "none") return [];
      const pattern = names.map((flag) => `"${name} ${flag}"`).join("|");
      if (value === "any") return [`${pattern}) return ;;`];
      if (value === "file") return [`${pattern}) compopt -o filenames; COMPREPLY=($(compgen -f -- "$cur")); return ;;`];
      return [`${pattern}) words="${value.join(" ")}" ;;`];
    }),
    `"${name} "*) words="${[...values, ...flags.flatMap((flag) => flag.names)].join(" ")}${valuesFrom ? ` $(${valuesFrom})` : ""}" ;;`,
  ]);
  const fn = functionName(program);
  return `# bash completion of ${program}: source it, or put it into ~/.local/share/bash-completion/completions/${program}
${fn}() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${words.map((word) => word.name).join(" ")} --help --version"
  else
    case "\${COMP_WORDS[1]} $prev" in
${rules.map((rule) => `      ${rule}`).join("\n")}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
}
complete -F ${fn} ${program}
`;
}

function zsh(program: string, words: readonly Word[]): string {
  const described = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([word, text]) => quoted(`${word}:${text.replaceAll(":", "\\:")}`)).join(" ");
  const rules = words.flatMap(({ name, flags, values, valuesFrom }) => [
    ...flags.flatMap(({ names, value }) => {
      if (value === "none") return [];
      const pattern = names.map((flag) => quoted(`${name} ${flag}`)).join("|");
      if (value === "any") return [`${pattern}) ;;`];
      return [`${pattern}) ${value === "file" ? "_files" : `compadd ${value.join(" ")}`} ;;`];
    }),
    `${quoted(`${name} `)}*)
      ${values.length > 0 ? `compadd ${values.join(" ")};` : ""}${valuesFrom ? `compadd $(${valuesFrom});` : ""} options=(${described(flags.flatMap((flag) => flag.names.map((flagName) => [flagName, flag.description] as const)))})
      _describe -o option options ;;`,
  ]);
  const fn = functionName(program);
  return `#compdef ${program}
# zsh completion of ${program}: put it into a folder of $fpath as _${program}, or source it after compinit
${fn}() {
  local -a commands options
  if (( CURRENT == 2 )); then
    commands=(${described(words.map((word) => [word.name, word.description] as const))})
    _describe command commands
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${rules.map((rule) => `    ${rule}`).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_${program}" ]; then ${fn} "$@"; else compdef ${fn} ${program}; fi
`;
}

function fish(program: string, words: readonly Word[]): string {
  const lines = words.flatMap(({ name, description, flags, values, valuesFrom }) => {
    const within = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`;
    const more = [...values, ...(valuesFrom ? [`(${valuesFrom})`] : [])].join(" ");
    return [
      `complete -c ${program} -n __fish_use_subcommand -a ${name} -d ${quoted(description)}`,
      ...(more === "" ? [] : [`${within} -a ${quoted(more)}`]),
      ...flags.map(({ names, description: text, value }) => {
        const flag = names.map((flagName) => flagName.replace(/^--/, "-l ").replace(/^-(?=\w$)/, "-s ")).join(" ");
        const takes = { none: "", any: " -x", file: " -r -F" };
        const argument = typeof value === "string" ? takes[value] : ` -x -a ${quoted(value.join(" "))}`;
        return `${within} ${flag}${argument} -d ${quoted(text)}`;
      }),
    ];
  });
  return `# fish completion of ${program}: put it into ~/.config/fish/completions/${program}.fish
complete -c ${program} -f
${lines.join("\n")}
`;
}

const functionName = (program: string) => `_${program.replace(/\W/g, "_")}_complete`;

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
