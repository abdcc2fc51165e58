/** Answers that are meant as JSON and are not, in the ways in which models err. Each holds {@link SENTENCE}. */

export const SENTENCE = "Tides are up to 16 metres high.";

const report = `# Tides\\n\\n${SENTENCE}`;

/** What the model says, by the name of what is wrong with it. */
export const BROKEN_JSON = {
  "a trailing comma": `\`\`\`json\n{"success": true, "verified": true, "report": "${report}", "metadata": {"sources_visited": [],},}\n\`\`\``,
  "single quotes": `{'success': true, 'verified': true, 'report': '${report}', 'metadata': {}}`,
  "unquoted keys": `{success: true, verified: true, report: "${report}", metadata: {}}`,
  "raw line breaks in a string": `{"success": true, "verified": true, "report": "# Tides\n\n${SENTENCE}\n\tIt is so.", "metadata": {}}`,
  "unescaped quotes in a string": `{"success": true, "verified": true, "report": "# Tides\\n\\nThe "Bay of Fundy" has the highest. ${SENTENCE}", "metadata": {}}`,
  comments: `{\n  // what was asked\n  "success": true, /* checked */ "verified": true,\n  "report": "${report}",\n  "metadata": {}\n}`,
  "words of Python": `{"success": True, "verified": True, "report": "${report}", "metadata": None}`,
  "a missing comma": `{"success": true\n "verified": true\n "report": "${report}"\n "metadata": {}}`,
  "typographic quotes": `{“success”: true, “verified”: true, “report”: “${report}”, “metadata”: {}}`,
  "prose and a second fence inside": `I read five pages. Here it is:\n\n\`\`\`json\n{"success": true, "verified": true, "report": "# Tides\\n\\n\`\`\`js\\nlet high = 16;\\n\`\`\`\\n\\n${SENTENCE}", "metadata": {}}\n\`\`\`\n\nAsk me {anything} more.`,
} as const;
