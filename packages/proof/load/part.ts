import type { Closing, Engine, Layout, World } from "./world.js";

export interface Options {
  engine: Engine;
  seconds: number;
  tenants: number;
  /** Of each tenant. */
  calls: number;
  workers: number;
  concurrency: number;
  killEverySeconds: number;
  quick: boolean;
  /** The program of an older version, `…/dist/bin.js`. */
  older: string | undefined;
}

/** What a part is given. */
export interface Ground {
  options: Options;
  /** Names of tenants without limits that matter. */
  open(layout: Partial<Layout>): Promise<World>;
  /** Ends the servers of a world as a service is ended, and the world; what must hold then is in the last rows. */
  close(world: World): Promise<Closing>;
  row(what: string, expected: string, seen: string, holds: boolean): void;
  /** A line for who looks on. */
  tell(text: string): void;
}

/** Some of the rows, in a world or several of their own. */
export interface Part {
  name: string;
  /** Default: both stores. */
  engines?: readonly Engine[];
  withinMs(options: Options): number;
  play(ground: Ground): Promise<void>;
}

const STORES: readonly Engine[] = ["redis", "postgres"];

export function isFor({ engines = STORES }: Part, engine: Engine): boolean {
  return engines.includes(engine);
}

export const EVERY_ENGINE: readonly Engine[] = [...STORES, "files"];
