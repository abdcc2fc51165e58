import type { ResearchEvent } from "@x/research";
import type { Ask, Report } from "../isolation/ask.js";
import type { OwnerCount } from "./rows.js";

type Labels = Readonly<Record<string, string>>;

/** Bounds of a histogram of seconds. */
const BOUNDS = [0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1_000];

/** Each is a line of its own in what is counted of it. */
const MOST_TENANTS = 1_000;

interface Family {
  type: "counter" | "gauge" | "histogram";
  help: string;
  values: Map<string, number>;
}

/** Numbers in the text form of Prometheus. */
export class Metrics {
  readonly #families = new Map<string, Family>();
  readonly #tenants = new Set<string>();

  count(name: string, help: string, labels: Labels = {}, by = 1): void {
    const { values } = this.#family(name, "counter", help);
    const key = name + inBraces(labels);
    values.set(key, (values.get(key) ?? 0) + by);
  }

  /** Adds to a number that goes up and down. */
  add(name: string, help: string, by: number): void {
    const { values } = this.#family(name, "gauge", help);
    values.set(name, (values.get(name) ?? 0) + by);
  }

  observe(name: string, help: string, seconds: number): void {
    const { values } = this.#family(name, "histogram", help);
    const up = (key: string, by: number) => values.set(key, (values.get(key) ?? 0) + by);
    for (const bound of BOUNDS) up(`${name}_bucket{le="${bound}"}`, seconds <= bound ? 1 : 0);
    up(`${name}_bucket{le="+Inf"}`, 1);
    up(`${name}_sum`, seconds);
    up(`${name}_count`, 1);
  }

  /** A job of an owner has ended or stopped in this process. */
  ended(owner: string, state: string): void {
    this.count("mcp_server_jobs_ended_total", ENDED_JOBS, { state, tenant: this.tenant(owner) });
  }

  /** A call or a request of an owner was refused; `limits`: the names of those that are set and were reached. */
  refused(owner: string, code: string, limits: readonly string[] = []): void {
    this.count("mcp_server_refused_total", REFUSED, { code, limit: limits.join(" "), tenant: this.tenant(owner) });
  }

  /** An issuer may have any number of subjects: those that come after so many are one. */
  tenant(owner: string): string {
    if (this.#tenants.size < MOST_TENANTS) this.#tenants.add(owner);
    return this.#tenants.has(owner) ? owner : "others";
  }

  /**
   * @param owners Who waits and runs now; `undefined`: that is not known here.
   * @param only Whose numbers are given. Default: everybody's, and those that are nobody's.
   */
  text(owners?: readonly OwnerCount[], only?: string): string {
    const families = new Map(this.#families);
    if (owners !== undefined) families.set("mcp_server_jobs", jobsNow(owners));
    const lines: string[] = [];
    const label = only === undefined ? "" : labelOf("tenant", only);
    for (const [name, { type, help, values }] of families) {
      const shown = [...values].filter(([key]) => key.includes(label));
      if (only === undefined || shown.length > 0) lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
      for (const [key, value] of shown) lines.push(`${key} ${value}`);
    }
    return `${lines.join("\n")}\n`;
  }

  #family(name: string, type: Family["type"], help: string): Family {
    const family = this.#families.get(name) ?? { type, help, values: new Map<string, number>() };
    this.#families.set(name, family);
    return family;
  }
}

function jobsNow(owners: readonly OwnerCount[]): Family {
  const values = new Map<string, number>();
  for (const { owner, waiting, running } of owners) {
    values.set(`mcp_server_jobs${inBraces({ state: "waiting", tenant: owner })}`, waiting);
    values.set(`mcp_server_jobs${inBraces({ state: "running", tenant: owner })}`, running);
  }
  return { type: "gauge", help: "Researches that wait or run, over all workers.", values };
}

function inBraces(labels: Labels): string {
  const parts = Object.entries(labels).map(([name, value]) => labelOf(name, value));
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}

function labelOf(name: string, value: string): string {
  return `${name}=${JSON.stringify(value)}`;
}

const REFUSED = "Calls and requests that were refused before anything was done, by error code, limit and tenant.";
const ENDED_JOBS =
  "Jobs that ended or stopped in this process, by state and tenant; one that goes on and ends again counts again.";

/** The same researches, counted for an owner. */
export function counted(ask: Ask, metrics: Metrics, owner: string): Ask {
  return async function* run(tool, request) {
    const running = ["mcp_server_researches_running", "Researches that this process does now."] as const;
    const startedMs = performance.now();
    let outcome = "CANCELLED";
    metrics.add(...running, 1);
    try {
      const events = ask(tool, request);
      for (;;) {
        const next = await events.next();
        if (next.done) {
          outcome = "ok";
          countTokens(next.value, metrics);
          return next.value;
        }
        countRun(next.value, metrics);
        yield next.value;
      }
    } catch (error) {
      outcome = String((error as { code?: unknown }).code ?? "EXECUTION_ERROR");
      throw error;
    } finally {
      metrics.add(...running, -1);
      const labels = { tool, outcome, tenant: metrics.tenant(owner) };
      metrics.count("mcp_server_researches_total", ENDED, labels);
      const seconds = (performance.now() - startedMs) / 1_000;
      metrics.observe("mcp_server_research_seconds", "How long a research took.", seconds);
    }
  };
}

const ENDED = "Researches that ended, by tool, error code and tenant; one that is begun again counts again.";

function countRun(event: ResearchEvent, metrics: Metrics): void {
  if (event.type === "step" && event.step.type === "run-start") {
    metrics.count("mcp_server_cli_runs_total", "Runs of the Gemini CLI.");
  }
}

function countTokens({ metadata }: Report, metrics: Metrics): void {
  const { usage } = metadata as { usage?: { input_tokens?: number; output_tokens?: number } };
  for (const [direction, tokens = 0] of [
    ["input", usage?.input_tokens],
    ["output", usage?.output_tokens],
  ] as const) {
    metrics.count("mcp_server_tokens_total", "Tokens of models.", { direction }, tokens);
  }
}
