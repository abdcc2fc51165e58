import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { FakeStep } from "../rig/fake-gemini.js";
import type { Reply, Sent } from "./exchange.js";
import type { Peer, Who } from "./peer.js";

/** One thing that is done to the server: a row of the table. */
export interface Abuse {
  name: string;
  /** What is sent, for the table. */
  sent: string;
  /** What must come of it, for the table. */
  expected: string;
  /** It is over by then, or it has failed. */
  withinMs: number;
  /** It takes a minute of waiting: it runs beside the others. */
  beside?: true;
  /** It fills every place there is: others run before or after it, but not beside it. */
  alone?: true;
  /** What the CLI does when the question of this abuse is asked; made once, at the start. */
  steps?: () => readonly FakeStep[];
  /** Gives what was seen, in a few words; throws what should not have been. */
  play(ground: Ground): Promise<string>;
}

/** Abuses that run one after the other. */
export interface Group {
  name: string;
  abuses: readonly Abuse[];
}

/** A research of the person at this machine, who is not the client of the server over HTTP. */
export interface PersonsJob {
  id: string;
  question: string;
}

/** Where one abuse takes place: the server, seen from outside. */
export interface Ground {
  port: number;
  token: string;
  pid: number;
  person: PersonsJob;
  /** Everything that the server may write lies in this folder. */
  sandbox: string;
  /** A client with a session, which ends with the abuse. */
  open(who?: Who): Promise<Peer>;
  /** One request; whatever comes back must hold nothing dangerous. */
  exchange(sent: Sent): Promise<Reply>;
  /** A question that nobody asked before, which makes the CLI do this play. */
  question(play: string): string;
  /** The question that makes the CLI do the `steps` of this abuse. */
  ownQuestion(): string;
  /** Processes that the CLI's runs for this question started, and those of them that are there. */
  runsOf(question: string): Promise<{ started: number; alive: number[] }>;
  /** Bytes of everything that the server and its CLI have written. */
  diskBytes(): Promise<number>;
  /** What is to be undone at the end, whatever happened. */
  later(undo: () => unknown): void;
  /** Aborted when the time of the abuse is over. */
  signal: AbortSignal;
}

/** The play of an abuse with steps of its own. */
export function playOf(abuse: Pick<Abuse, "name">): string {
  return abuse.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** Reads what the runs of the CLI noted of themselves. */
export async function runsIn(file: string, question: string): Promise<{ started: number; alive: number[] }> {
  const [, name, number] = /play-([a-z0-9-]+)\.(\d+)/.exec(question) ?? [];
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n").filter(Boolean);
  const runs = lines
    .map((line) => JSON.parse(line) as { pid: number; name: string; number: string })
    .filter((run) => run.name === name && run.number === number);
  return { started: runs.length, alive: runs.map(({ pid }) => pid).filter(isAlive) };
}

/** A process that ended and was not waited for is none. */
function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  } catch {
    return false;
  }
}
