/** What a person can pick in a host's prompt menu. */
export const PROMPTS = [
  {
    name: "research",
    title: "Research a question",
    description: "A checked report on a question, with its sources.",
    arguments: [
      { name: "question", description: "What you want to know.", required: true },
      { name: "depth", description: "quick or deep. Default deep.", required: false },
    ],
  },
  {
    name: "compare",
    title: "Compare things",
    description: "A comparison of products, methods or claims, each statement with its source.",
    arguments: [
      { name: "items", description: "What is compared, such as: SQLite, DuckDB, Postgres.", required: true },
      { name: "criteria", description: "What matters to you.", required: false },
    ],
  },
];

/** The text of a prompt, or what is wrong with the request. */
export function promptText(
  name: string,
  args: Readonly<Record<string, string>>,
): { text: string } | { problem: string } {
  const prompt = PROMPTS.find((candidate) => candidate.name === name);
  if (prompt === undefined) {
    return {
      problem: `There is no prompt ${JSON.stringify(name)}; there are ${PROMPTS.map((p) => p.name).join(" and ")}.`,
    };
  }
  const missing = prompt.arguments.find((argument) => argument.required && !args[argument.name]?.trim());
  if (missing !== undefined) return { problem: `The argument ${missing.name} is missing: ${missing.description}` };
  const { question, depth, items, criteria } = args;
  const text =
    name === "research"
      ? `${depth === "quick" ? "Use the search tool" : "Use the deep_search tool"} to answer this question: ${question}\n\nGive the answer first, then what is uncertain or disputed, then the sources as links.`
      : `Use the deep_search tool to compare: ${items}${criteria ? `\nWhat matters: ${criteria}` : ""}\n\nGive a table with one row for each criterion, cite a source for every statement, and say for whom which is the better choice.`;
  return { text };
}
