import { expect, test } from "vitest";
import { inOwnHome } from "./commands.js";

const place = inOwnHome();

test.each([
  [["setup", "cusror"], /^error: "cusror" is not a client; it is one of claude-code, .*\.\nDid you mean cursor\?\n/],
  [["setup", "emacs"], /^error: "emacs" is not a client; it is one of claude-code, [^\n]*\n`x-research/],
  [
    ["setup", "OpenCode"],
    /^error: client "OpenCode": opencode is set up by hand, in ~\/\.config\/opencode\/opencode\.json\. .*\/clients\.md#by-hand\n/,
  ],
  [["completion", "bsh"], /^error: "bsh" is not a shell; it is one of bash, zsh, fish\.\nDid you mean bash\?/],
  [["search", "why", "--recency", "moth"], /^error: "moth" is not a value of --recency; .*\nDid you mean month\?/],
  [["list", "--state", "runing"], /^error: "runing" is not a value of --state; .*\nDid you mean running\?/],
  [["list", "-n", "many"], /^error: --limit "many": A whole number of 1 and more is expected\.\n/],
  [["search", "why", "--max-time", "5'5\u001b[31m"], /^error: --max-time "5'5": A time with its unit is expected/],
  [["setup", "codex", "--env", "KEY"], /^error: --env "KEY": NAME=VALUE is expected\.\n/],
  [["resmue", "x"], /Did you mean resume\?/],
  [["LIST"], /Did you mean `x-research list`\?/],
  [["SERACH", "why"], /Did you mean `x-research search`\?/],
])("%j: what is wrong, in plain words", async (argv, message) => {
  const { code, err } = await place.run(argv);
  expect(code).toBe(2);
  expect(err).toMatch(message);
});
