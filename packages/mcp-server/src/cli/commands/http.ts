import { type Command, Option } from "commander";
import { defined } from "../../host/defined.js";
import type { CommandParts } from "./command-parts.js";
import { wrapped } from "./help-text.js";
import { wholeNumber } from "./option-values.js";

interface HttpOptions {
  host?: string;
  port?: number;
  concurrency?: number;
  files?: boolean;
}

export function addHttp(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("http")
    .description("serve MCP over HTTP: /mcp for clients; /health, /ready and /metrics")
    .option("--host <name>", "the address to listen on (default: MCP_SERVER_HOST, else 127.0.0.1)")
    .addOption(
      new Option("--port <n>", "the port, 0 for any free one (default: MCP_SERVER_PORT, else 3000)").argParser(
        wholeNumber(0, 65_535),
      ),
    )
    .addOption(
      new Option(
        "--concurrency <n>",
        "with MCP_SERVER_QUEUE: researches that this process does itself, 0 for none (default: two for each processor)",
      ).argParser(wholeNumber(0, 1_000)),
    )
    .option("--files", "let clients have documents read from the folders of RESEARCH_ROOTS (default: none)")
    .addHelpText("after", () =>
      wrapped(
        "\nOn any address but loopback it must know who may come in: MCP_SERVER_TOKEN, MCP_SERVER_TOKENS or MCP_SERVER_OAUTH_ISSUER. Clients send a bearer token.",
        io.stdout,
      ),
    )
    .action(async ({ host, port, concurrency, files }: HttpOptions) => {
      const { serveHttp } = await import("../../transports/http.js");
      const env = { ...io.env, ...defined({ MCP_SERVER_HOST: host, MCP_SERVER_PORT: port?.toString() }) };
      exitWith(await serveHttp({ ...io, env }, { concurrency, files }));
    });
}
