import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { readText } from "@x/owned-files";
import type { RunSource, ToolFailure } from "../events.js";
import { toList, toRecord, toText } from "../parse-record.js";
import { plainRefusal } from "./refusals.js";
import { mayBeEvent, toolTarget } from "./stream-json.js";
import { pageKey, urlsIn } from "./urls.js";

/** What the CLI's own record of a run says about it. */
export interface RunRecord {
  queries: string[];
  sources: RunSource[];
  failures: ToolFailure[];
  /** The model of every main turn, in order. */
  models: string[];
}

/** What the model's own replies say of it, where they were heard. */
export interface KnownReplies {
  /** Pages that could not be read, by {@link pageKey}, each with the reason where it is known. */
  unread: ReadonlyMap<string, string | undefined>;
  /** Addresses that Google named as sources of a search. */
  grounds: ReadonlySet<string>;
}

type Known = KnownReplies | undefined;

/** One of several that used the same home. */
export interface Session {
  name: string;
  /** Calls that the CLI does not record, in order. */
  unrecorded: readonly UnrecordedCall[];
}

/** A call of a tool that was refused. */
export interface UnrecordedCall {
  tool: string;
  /** Of its parameters: `query`, `prompt`, `url`. */
  parameters: Record<string, string>;
  message: string;
  /** How many recorded calls were before it. */
  after: number;
}

/**
 * Reads the record of the one run that used `home`, or of the one among several whose session it is. `undefined`: there is none.
 */
export async function readRecord(home: string, known: Known, session?: Session): Promise<RunRecord | undefined> {
  const found = await findRecord(home, session?.name);
  return found && parseRecord(found.text, known, session?.unrecorded);
}

/** Removes it, with all else that the CLI keeps of that session. */
export async function removeRecord(home: string, session: string): Promise<void> {
  const found = await findRecord(home, session);
  if (found !== undefined) await rm(path.dirname(path.dirname(found.file)), { recursive: true, force: true });
}

/** The CLI names it by the minute and the beginning of the session's name. */
const NAMED_BY = 8;
/** Its whole name is the first thing in the file. */
const LONGEST_BEGINNING = 1_000;

async function findRecord(home: string, session = ""): Promise<{ file: string; text: string } | undefined> {
  const projects = path.join(home, ".gemini", "tmp");
  const mark = session.slice(0, NAMED_BY);
  for (const project of await list(projects)) {
    const chats = path.join(projects, project, "chats");
    for (const name of await list(chats)) {
      if (!name.startsWith("session-") || !name.includes(mark)) continue;
      const file = path.join(chats, name);
      const text = await readText(file);
      if (session === "" || isOf(session, text)) return { file, text };
    }
  }
  return undefined;
}

/** Of many sessions two may begin alike. */
function isOf(session: string, text: string): boolean {
  const beginning = text.slice(0, LONGEST_BEGINNING);
  return ['"sessionId":', '"sessionId": '].some((name) => beginning.includes(`${name}${JSON.stringify(session)}`));
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}

/**
 * Reads a session file: one JSON value a line or, before 0.40, one object with all messages. A turn is written again
 * when its tools have answered: the last form counts.
 */
export function parseRecord(text: string, known: Known, unrecorded: readonly UnrecordedCall[] = []): RunRecord {
  const turns = new Map<string, Record<string, unknown>>();
  for (const value of text.startsWith("{\n") ? [text] : text.split("\n")) {
    for (const turn of turnsIn(value)) turns.set(toText(turn["id"]) ?? "", turn);
  }
  const record: RunRecord = { queries: [], sources: [], failures: [], models: [] };
  const sources = new Map<string, RunSource>();
  const calls: Record<string, unknown>[] = [];
  for (const turn of turns.values()) {
    const model = toText(turn["model"]);
    if (model !== undefined) record.models.push(model);
    for (const call of toList(turn["toolCalls"])) calls.push(toRecord(call));
  }
  for (const call of withUnrecorded(calls, unrecorded)) addCall(record, sources, call, known);
  record.sources = [...sources.values()];
  return record;
}

/** All calls as they are recorded, in the order in which they were made. */
function withUnrecorded(
  calls: readonly Record<string, unknown>[],
  unrecorded: readonly UnrecordedCall[],
): Record<string, unknown>[] {
  const all: Record<string, unknown>[] = [];
  let at = 0;
  for (const { tool, parameters, message, after } of unrecorded) {
    for (; at < Math.min(after, calls.length); at++) all.push(toRecord(calls[at]));
    all.push({ name: tool, args: parameters, status: "error", resultDisplay: message });
  }
  return [...all, ...calls.slice(at)];
}

function turnsIn(json: string): Record<string, unknown>[] {
  if (!mayBeEvent(json)) return [];
  let value: Record<string, unknown>;
  try {
    value = toRecord(JSON.parse(json));
  } catch {
    // A line that was not finished.
    return [];
  }
  return [value, ...toList(value["messages"]).map(toRecord)].filter(({ type }) => type === "gemini");
}

function addCall(
  record: RunRecord,
  sources: Map<string, RunSource>,
  call: Record<string, unknown>,
  known: Known,
): void {
  const { name, args, status, resultDisplay } = call;
  const tool = toText(name) ?? "";
  const { query, urls = [] } = toolTarget(tool, toRecord(args));
  const { output = "", error } = answerOf(call);
  const display = toText(resultDisplay) ?? "";
  const fail = (message: string, url?: string) =>
    record.failures.push({
      tool,
      ...(query === undefined ? {} : { query }),
      ...(url === undefined ? {} : { url }),
      message,
    });
  if (status !== "success" || error !== undefined) {
    const message = plainRefusal(error ?? (output || display));
    if (urls.length === 0) fail(message);
    for (const url of urls) fail(known?.unread.get(pageKey(url)) ?? message, url);
    return;
  }
  if (query !== undefined) record.queries.push(query);
  const skipped = skippedPages(output);
  for (const url of urls) {
    const key = pageKey(url);
    const why = skipped.get(key) ?? (known?.unread.has(key) ? (known.unread.get(key) ?? UNREAD) : undefined);
    if (why === undefined) sources.set(url, { ...sources.get(url), url, status: "retrieved" });
    else fail(why, url);
  }
  for (const { url, title } of listedSources(output)) {
    // Words of a page or of the model may look like such a list.
    if (tool !== "google_web_search" || known?.grounds.has(url) === false) continue;
    sources.set(url, { url, ...(title === "" ? {} : { title }), status: sources.get(url)?.status ?? "found" });
  }
}

const UNREAD = "The page could not be read";

const SKIPPED = "[Warning] The following URLs were skipped:\n";
const UNTRUSTED = "<untrusted_context>";

/** The pages that the CLI did not ask for, each with its reason: `[Blocked Host] address`. The list ends with an empty line. */
function skippedPages(output: string): Map<string, string> {
  const text = output.startsWith(UNTRUSTED) ? output.slice(UNTRUSTED.length).trimStart() : output;
  const end = text.startsWith(SKIPPED) ? text.indexOf("\n\n") : -1;
  const lines = end === -1 ? [] : text.slice(SKIPPED.length, end).split("\n");
  return new Map(lines.flatMap((line) => urlsIn(line).map((url) => [pageKey(url), line.trim()] as const)));
}

function answerOf(call: Record<string, unknown>): { output?: string; error?: string } {
  for (const part of toList(call["result"])) {
    const response = toRecord(toRecord(toRecord(part)["functionResponse"])["response"]);
    const output = toText(response["output"]);
    const error = toText(response["error"]);
    if (output !== undefined || error !== undefined) {
      return { ...(output === undefined ? {} : { output }), ...(error === undefined ? {} : { error }) };
    }
  }
  return {};
}

/** The list that a search ends with: `Sources:` and lines of `[1] title (address)`. */
function listedSources(output: string): { url: string; title: string }[] {
  const start = output.lastIndexOf("\nSources:\n");
  if (start < 0) return [];
  return output.slice(start).split("\n").flatMap(sourceIn);
}

function sourceIn(line: string): { url: string; title: string }[] {
  const mark = /^\[\d+\] /.exec(line)?.[0];
  const from = line.lastIndexOf(" (http");
  if (mark === undefined || from < mark.length || !line.endsWith(")")) return [];
  const url = line.slice(from + 2, -1);
  if (!/^https?:\/\/\S+$/.test(url)) return [];
  const title = line.slice(mark.length, from);
  return [{ url, title: title === "Untitled" ? "" : title }];
}
