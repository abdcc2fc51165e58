import { REPOSITORY } from "../../host/version.js";

/** A client that the documentation tells how to set up, and that `setup` does not write for. */
export interface ByHand {
  title: string;
  /** Its program's name on PATH. */
  program: string;
  /** Under the home, and for a project where it has that: parts of the path. */
  file: readonly string[];
  projectFile?: readonly string[];
  /** The key that holds its servers. */
  group: string;
}

/** What to write for such a client. */
export const BY_HAND_PAGE = `${REPOSITORY}/blob/main/docs/clients.md#by-hand`;

export const CLIENTS_BY_HAND: readonly ByHand[] = [
  {
    title: "opencode",
    program: "opencode",
    file: [".config", "opencode", "opencode.json"],
    projectFile: ["opencode.json"],
    group: "mcp",
  },
  { title: "Copilot CLI", program: "copilot", file: [".copilot", "mcp-config.json"], group: "mcpServers" },
  {
    title: "Qwen Code",
    program: "qwen",
    file: [".qwen", "settings.json"],
    projectFile: [".qwen", "settings.json"],
    group: "mcpServers",
  },
];

/** The client that people may mean by a name: `copilot`, `copilot-cli`, `qwen-code`. */
export function byHandOf(name: string): ByHand | undefined {
  return CLIENTS_BY_HAND.find(({ title, program }) => [program, title.toLowerCase().replace(" ", "-")].includes(name));
}

/** What such a client is set up in, as a person writes it. */
export function fileByHand({ file }: ByHand): string {
  return `~/${file.join("/")}`;
}
