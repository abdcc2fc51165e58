import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { expect, test } from "vitest";
import { answerOf } from "../support/connect.js";
import { newPlace } from "../support/place.js";
import { endServer, startServer } from "../support/stdio-server.js";

test("what a host hands over unfilled or empty does not reach the CLI", async () => {
  const place = newPlace();
  try {
    const gemini = join(place.home, "gemini");
    const answer = `{"success":true,"report":"%s %s %s","metadata":{}}`;
    const values = `"\${GEMINI_API_KEY-unset}" "\${GOOGLE_API_KEY-unset}" "\${GOOGLE_CLOUD_PROJECT-unset}"`;
    writeFileSync(gemini, `#!/bin/sh\ncat > /dev/null\nprintf '${answer}' ${values}\n`, { mode: 0o755 });
    const server = startServer({
      ...place.env,
      GEMINI_CLI_PATH: gemini,
      GEMINI_API_KEY: `$${"{user_config.gemini_api_key}"}`,
      GOOGLE_API_KEY: "",
      GOOGLE_CLOUD_PROJECT: "lab",
    });
    const client = new Client({ name: "test", version: "1" });
    await client.connect(server.line);
    const result = await client.callTool({ name: "search", arguments: { query: "q" } });
    expect(answerOf(result)).toMatchObject({ result: "unset unset lab" });
    expect(await endServer(server)).toBe(0);
  } finally {
    place.remove();
  }
});
