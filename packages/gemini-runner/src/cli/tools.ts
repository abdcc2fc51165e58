import { type Grants, toolsOfServers } from "./policy.js";
import { atLeast } from "./version.js";

/** All built-in tools of the CLI from 0.35.3 to {@link NEWEST}. Some need a person to answer. */
const BUILT_IN = [
  "google_web_search",
  "web_fetch",
  "read_file",
  "read_many_files",
  "list_directory",
  "glob",
  "grep_search",
  "write_file",
  "replace",
  "run_shell_command",
  "save_memory",
  "write_todos",
  "get_internal_docs",
  "activate_skill",
  "ask_user",
  "enter_plan_mode",
  "exit_plan_mode",
  "update_topic",
  "complete_task",
  "invoke_agent",
  "list_mcp_resources",
  "read_mcp_resource",
  "tracker_create_task",
  "tracker_update_task",
  "tracker_get_task",
  "tracker_list_tasks",
  "tracker_add_dependency",
  "tracker_visualize",
] as const;

/** The newest CLI whose tools are known here. */
const NEWEST = "0.61.0";

/** The tools that were asked for and that the CLI does not have: the CLI would silently leave them out. */
export interface UnknownTools {
  message: string;
  /** `false`: a CLI newer than the list may have them. */
  certain: boolean;
}

/** What of the granted tools is unknown. Of a program whose version is not known, nothing can be said. */
export function unknownTools({ tools, mcpServers }: Grants, version: string | undefined): UnknownTools | undefined {
  if (version === undefined) return undefined;
  const known: readonly string[] = [...BUILT_IN, ...toolsOfServers(mcpServers)];
  const unknown = tools.filter((tool) => !known.includes(tool));
  if (unknown.length === 0) return undefined;
  const certain = atLeast(NEWEST, version);
  const named = unknown.map((tool) => JSON.stringify(tool)).join(", ");
  const message = certain
    ? `tools is expected to name tools of Gemini CLI ${version} or of mcpServers, not ${named}`
    : `Gemini CLI ${version} may not have the tools ${named}: the model then does not see them`;
  return { message: `${message}. Known are ${known.join(", ")}`, certain };
}
