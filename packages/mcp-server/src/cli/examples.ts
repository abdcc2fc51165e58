/** Of commands, without the program's name: for its help, and for who leaves out what a command needs. */
export const EXAMPLES: readonly string[] = [
  'search "Which Node.js versions are supported today?"',
  'deep-search "Is fasting healthy?" --rounds 3 --html report.html',
  'ask --last "And for how long is it safe?"',
  "search - --json < question.txt | jq -r .result",
  "open --last",
  "setup claude-code",
];
