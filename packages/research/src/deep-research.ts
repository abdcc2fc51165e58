import { answerExamples, ResearchAnswerSchema } from "./answer.js";
import { checkTopic } from "./check-fields.js";
import { checkRequest } from "./check-request.js";
import type { ResearchDeps } from "./deps.js";
import { checkDeps, newId } from "./deps.js";
import { ResearchError, runFailure } from "./errors.js";
import type { DeepResearchRun } from "./events.js";
import type { DeepResearchReport } from "./report.js";
import type { DeepResearchRequest } from "./request.js";
import { ask } from "./rounds/ask.js";
import { Session } from "./rounds/session.js";
import { defaultCapabilities } from "./runner.js";

/** Researches as the older tool did: one prompt, one answer, and its own error messages. Throws a `ResearchError`. */
export async function* deepResearch(request: DeepResearchRequest, deps: ResearchDeps): DeepResearchRun {
  checkTopic(request?.topic);
  checkRequest(request);
  checkDeps(deps);
  const { topic, depth = "detailed" } = request;
  const session = new Session(deps, request);
  try {
    yield { type: "research-start", id: newId(deps) };
    yield { type: "log", level: "info", message: `Starting research on: "${topic}" (depth: ${depth})` };
    const values = { topic, depth, model: session.modelName() };
    const prompt =
      deps.researchTemplate === undefined
        ? session.prompt("research", values)
        : fillSingleBraces(deps.researchTemplate, values);
    const question = { prompt, schema: ResearchAnswerSchema, example: answerExamples.research, round: 1 };
    const { value: answer } = yield* ask(session, question);
    const durationMs = session.durationMs();
    yield { type: "log", level: "info", message: `Research completed in ${durationMs}ms` };
    if (!answer.success) {
      const details = answer.report || "No details provided";
      throw new ResearchError("RESEARCH_FAILED", "Research task completed but returned failure status", { details });
    }
    const { sources_visited, search_queries_used, iterations } = answer.metadata;
    return {
      success: true,
      report: answer.report,
      metadata: {
        duration_ms: durationMs,
        topic,
        depth,
        model: session.modelName(),
        timestamp: new Date(session.now()).toISOString(),
        ...(Array.isArray(sources_visited) && { sources_visited }),
        ...(Array.isArray(search_queries_used) && { search_queries_used }),
        ...(typeof iterations === "number" && { iterations }),
      },
    } satisfies DeepResearchReport;
  } catch (thrown) {
    const error = inItsWords(thrown, session.errorOf(thrown), deps);
    yield { type: "log", level: "error", message: `Research failed: ${error.code}: ${error.message}` };
    throw error;
  } finally {
    session.close();
  }
}

/** `{name}` in one pass: a value is never read as a template. Double braces serve too. */
function fillSingleBraces(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{\{(\w+)\}\}|\{(\w+)\}/g, (whole, double?: string, single?: string) => {
    const name = double ?? single ?? "";
    return Object.hasOwn(values, name) ? (values[name] as string) : whole;
  });
}

/** What an exit code means to shells and to the system. */
const EXIT_HINTS: Readonly<Record<number, string>> = {
  1: "General error",
  2: "Misuse of command or invalid arguments",
  126: "Command found but not executable",
  127: "Command not found",
  130: "Process terminated by Ctrl+C",
  143: "Process terminated by SIGTERM",
  255: "Exit status out of range",
};

/** A program that says no name. */
const UNNAMED = { name: "The program", command: "agent" };

/** The codes and messages of the older tool. What else is known goes into the details. */
function inItsWords(thrown: unknown, error: ResearchError, { runner, timeoutMs }: ResearchDeps): ResearchError {
  const { code, message, details, nextStep, cause } = error;
  const failure = runFailure(thrown);
  const { program = UNNAMED } = runner.capabilities ?? defaultCapabilities;
  if (code === "CANCELLED" || code === "RESEARCH_FAILED" || code === "INVALID_INPUT") return error;
  if (code === "CLI_NOT_FOUND") {
    return new ResearchError(code, `${program.name} is not installed or not in PATH`, {
      details: details ?? message,
      nextStep,
      cause,
    });
  }
  if (failure === undefined && !(thrown instanceof ResearchError)) {
    return new ResearchError("UNEXPECTED_ERROR", message, { cause });
  }
  if (failure === undefined) {
    return new ResearchError("EXECUTION_ERROR", `JSON validation failed. ${message}`, { details, cause });
  }
  if (failure.reason === "timeout" && timeoutMs !== undefined) {
    return new ResearchError("EXECUTION_ERROR", `Research task exceeded timeout of ${timeoutMs}ms`, {
      details: [message, details].filter(Boolean).join("\n"),
      cause,
    });
  }
  if (failure.reason === "spawn") {
    return new ResearchError("EXECUTION_ERROR", `Failed to spawn ${program.command} process: ${message}`, {
      details,
      cause,
    });
  }
  if (failure.code === "EXECUTION_ERROR" && failure.exitCode !== undefined && failure.exitCode !== 0) {
    const hint = EXIT_HINTS[failure.exitCode] ?? `Unknown error code ${failure.exitCode}`;
    const said = `${program.name} exited with code ${failure.exitCode}. ${hint}`;
    return new ResearchError("EXECUTION_ERROR", details === undefined ? said : `${said} Details: ${details}`, {
      details: message,
      cause,
    });
  }
  return new ResearchError("EXECUTION_ERROR", message, { details, nextStep, cause });
}
