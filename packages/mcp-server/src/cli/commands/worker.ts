import { type Command, Option } from "commander";
import { defined } from "../../host/defined.js";
import type { CommandParts } from "./command-parts.js";
import { wrapped } from "./help-text.js";
import { wholeNumber } from "./option-values.js";

export function addWorker(program: Command, { io, exitWith }: CommandParts): void {
  program
    .command("worker")
    .description("do researches of the queue that MCP_SERVER_QUEUE names; clients are served by http")
    .addOption(
      new Option("--concurrency <n>", "researches at once (default: two for each processor)").argParser(
        wholeNumber(1, 1_000),
      ),
    )
    .addOption(
      new Option("--port <n>", "serve /health, /ready and /metrics there (default: nowhere)").argParser(
        wholeNumber(0, 65_535),
      ),
    )
    .addHelpText("after", () =>
      wrapped(
        "\nMCP_SERVER_QUEUE=redis://… or postgres://… must be the same as on the servers that take calls.",
        io.stdout,
      ),
    )
    .action(async ({ concurrency, port }: { concurrency?: number; port?: number }) => {
      const { serveWorker } = await import("../../transports/worker.js");
      exitWith(await serveWorker(io, defined({ concurrency, port })));
    });
}
