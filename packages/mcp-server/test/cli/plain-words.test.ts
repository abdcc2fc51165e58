import { expect, test } from "vitest";
import { inOwnHome } from "./commands.js";

const place = inOwnHome();

test.each([
  [["setup", "cusror"], /^✗ "cusror" is not a client; it is one of claude-code, .* Did you mean cursor\? /],
  [["setup", "emacs"], /^✗ "emacs" is not a client; it is one of claude-code, [^.]*\. `x-research setup --help`/],
  [
    ["setup", "OpenCode"],
    /^✗ client "OpenCode": opencode is set up by hand, in ~\/\.config\/opencode\/opencode\.json\. .*\/clients\.md#by-hand /,
  ],
  [["completion", "bsh"], /^✗ "bsh" is not a shell; it is one of bash, zsh, fish\. Did you mean bash\?/],
  [["search", "why", "--recency", "moth"], /^✗ "moth" is not a value of --recency; .* Did you mean month\?/],
  [["list", "--state", "runing"], /^✗ "runing" is not a value of --state; .* Did you mean running\?/],
  [["list", "-n", "many"], /^✗ --limit "many": A whole number of 1 and more is expected\. /],
  [["search", "why", "--max-time", "5'5\u001b[31m"], /^✗ --max-time "5'5": A time with its unit is expected/],
  [["setup", "codex", "--env", "KEY"], /^✗ --env "KEY": NAME=VALUE is expected\. /],
  [["resmue", "x"], /^✗ There is no command "resmue"\. Did you mean `x-research resume`\?/],
  [["LIST"], /Did you mean `x-research list`\?/],
  [["SERACH", "why"], /Did you mean `x-research search`\?/],
  [["ls"], /Did you mean `x-research list`\?/],
  [["config", "ls"], /Did you mean `x-research config list`\?/],
  [["token", "rm", "ada"], /Did you mean `x-research token remove`\?/],
  [
    ["help", "token", "lst"],
    /^✗ There is no command "lst"\. Did you mean `x-research token list`\? `x-research token --help`/,
  ],
  [["show", "--thred"], /^✗ There is no option --thred here\. Did you mean --thread\?/],
  [["search", "why", "--last"], /^✗ There is no option --last here\. It is an option of `ask`, `again`, /],
  [["config", "set", "model"], /^✗ The value is missing\. x-research config set \[options\] <setting> <value> /],
  [["evidence", "--last"], /^✗ --out <file> is missing\. x-research evidence \[options\] \[id\] /],
  [["list", "--search"], /^✗ --search needs its words behind it\. /],
  [["list", "2f37"], /^✗ Too many arguments for 'list'\. Expected 0 .* x-research list \[options\] /],
])("%j: what is wrong, in plain words, and what to do", async (argv, message) => {
  const { code, out, err } = await place.run(argv);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err.replaceAll(/\s+/g, " ")).toMatch(message);
});

test.each([
  [["search"], 'search "Which Node.js versions are supported today?"'],
  [["ask"], 'ask --last "And for how long is it safe?"'],
  [["ask", "--last"], 'ask --last "And for how long is it safe?"'],
])("%j: that the question is missing, with an example", async (argv, example) => {
  const { code, err } = await place.run(argv);
  expect(code).toBe(2);
  expect(err).toMatch(/^✗ The question is missing\.\n/);
  expect(err).toContain(`\n  For example: x-research ${example}\n`);
});

test.each([
  [["help", "token", "add"], "x-research token add "],
  [["help", "config", "set"], "x-research config set "],
  [["help", "search"], "x-research search "],
  [["help", "help"], "x-research help "],
  [["help"], "x-research "],
])("%j prints the help of that very command", async (argv, usage) => {
  const { code, out } = await place.run(argv);
  expect(code).toBe(0);
  expect(out).toMatch(new RegExp(`^Usage: ${usage}\\[options\\]`));
});
