/**
 * What the CLI says of a call that it refuses, alike for all its ways to run: it has words of its own in each, and further ones for
 * the model.
 */
export function plainRefusal(message: string): string {
  const unknown = /^Tool "([^"]*)" not found[ .]/.exec(message)?.[1];
  return unknown === undefined
    ? message.replace(/^Tool execution for "[^"]*" denied/, "Tool execution denied")
    : notFound(unknown);
}

export function notFound(tool: string): string {
  return `Tool "${tool}" not found.`;
}
