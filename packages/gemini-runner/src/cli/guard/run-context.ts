import { AsyncLocalStorage } from "node:async_hooks";
import type { Hash } from "node:crypto";
import type { GuardNote } from "../guard-notes.js";
import { WORD_KEY } from "../word-key.js";

/** What is known of the model's turn so far: the length and the hash of its words. */
export interface Turn {
  length: number;
  hash: Hash;
}

/** What the guard knows of one run. */
export interface RunContext {
  /** Of the run, where one process serves several: the id of its session. */
  readonly session?: string;
  /** The model's turn that goes on. */
  turn?: Turn;
  /** The model that was asked last. */
  model?: string;
  /** Requests that were answered with 429, by their paths. */
  readonly refused: Map<string, { inARow: number; at: number }>;
  /** It repeats a refused request without a pause: no further one is let out. */
  runaway: boolean;
  /** Pages that the CLI has tried to read since the API was last asked. */
  readonly tried: Set<string>;
  /** Until when it may read further ones. */
  pagesEndAt?: number | undefined;
  /** How much its tools may still give the model, in UTF-16 units. */
  outputLeft: number;
}

function newContext(maxToolOutput: number | null, session?: string): RunContext {
  return {
    ...(session === undefined ? {} : { session }),
    refused: new Map(),
    runaway: false,
    tried: new Set(),
    outputLeft: maxToolOutput ?? Number.POSITIVE_INFINITY,
  };
}

/** Which run something belongs to that happens now. `undefined`: it cannot be told, and nothing is said of it. */
export type CurrentRun = () => RunContext | undefined;

/** In a process that serves one run, everything belongs to it. */
export function onlyRun(maxToolOutput: number | null): CurrentRun {
  const context = newContext(maxToolOutput);
  return () => context;
}

/**
 * In a process that serves several, what a prompt leads to belongs to its session, however many calls, timers and promises
 * are between them. The CLI parses a message and then reads what it is about; from there on all is its consequence. A message
 * counts when it holds `word`: no model, page or MCP server can know it.
 */
export function runOfSession(word: string, maxToolOutput: number | null): CurrentRun {
  const runs = new AsyncLocalStorage<RunContext | undefined>();
  const { parse } = JSON;
  JSON.parse = function (this: unknown, ...given: Parameters<typeof parse>) {
    const value: unknown = parse.apply(this, given);
    if (isMessage(value, word)) {
      const { method, params } = value;
      const run = method === "session/prompt" ? newContext(maxToolOutput, String(params.sessionId)) : undefined;
      Object.defineProperty(value, "params", {
        enumerable: true,
        configurable: true,
        get() {
          runs.enterWith(run);
          return params;
        },
      });
    }
    return value;
  };
  return () => runs.getStore();
}

interface Message {
  method: string;
  params: { sessionId?: unknown; _meta: unknown };
}

function isMessage(value: unknown, word: string): value is Message {
  const { params } = Object(value) as { params?: unknown };
  const { _meta: meta } = Object(params) as { _meta?: unknown };
  return (Object(meta) as Record<string, unknown>)[WORD_KEY] === word;
}

/** Says something of a run. */
export type SayOfRun = (run: RunContext, note: GuardNote) => void;
