import type { Span, Tracer } from "@opentelemetry/api";
import { VERSION } from "../host/version.js";
import type { Ask } from "../isolation/ask.js";

/** Where spans go: to whatever the person who runs the server has set up. `undefined`: the package is not installed. */
export async function openTracer(): Promise<Tracer | undefined> {
  try {
    const { trace } = await import("@opentelemetry/api");
    return trace.getTracer("@x/mcp-server", VERSION);
  } catch {
    return undefined;
  }
}

/** The number of a span that failed, as the API has it. */
const FAILED = 2;

/**
 * The same researches, a span each, with an event for each run of the CLI and each round that ended. Neither holds a word of a
 * question, a page or an answer.
 */
export function traced(ask: Ask, tracer: Tracer): Ask {
  return async function* run(tool, request) {
    const span = tracer.startSpan(`research ${tool}`, { attributes: { "research.tool": tool } });
    try {
      const events = ask(tool, request);
      for (;;) {
        const next = await events.next();
        if (next.done) return next.value;
        if (next.value.type === "step" && next.value.step.type === "run-start") span.addEvent("run-start");
        if (next.value.type === "round-end") span.addEvent("round-end");
        yield next.value;
      }
    } catch (error) {
      fail(span, (error as { code?: unknown }).code);
      throw error;
    } finally {
      span.end();
    }
  };
}

function fail(span: Span, code: unknown): void {
  span.setAttribute("error.type", typeof code === "string" ? code : "EXECUTION_ERROR");
  span.setStatus({ code: FAILED });
}
