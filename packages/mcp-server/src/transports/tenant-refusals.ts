import type { ServerResponse } from "node:http";
import { CallRate, GREETINGS, REQUESTS } from "../access/call-rate.js";
import type { Principal } from "../access/principal.js";
import { type Refusal, Refusals } from "../access/refusals.js";
import type { Log } from "../host/log.js";
import { BusyError } from "../jobs/busy.js";
import { tenantIn } from "../jobs/job-record.js";
import { createMemoryRates } from "../jobs/rates.js";
import type { ServerParts } from "../protocol/server.js";
import type { Metrics } from "../queue/metrics.js";
import { busy, type Id, tooOften } from "./http-answers.js";

/** Of one owner. */
interface MostInAMinute {
  greetings: number;
  /** Of whatever kind. `undefined`: as many as they like. */
  requests: number | undefined;
}

interface Requests {
  times?: number;
  id?: Id;
}

const QUOTA = "QUOTA_EXCEEDED";

/** One that nobody sets. */
const ownClock = () => performance.now();

/** Who asks for more than there is for one: it is refused, and the log says who and by which limit. */
export class TenantRefusals {
  readonly #log: Log;
  readonly #most: MostInAMinute;
  readonly #refusals = new Refusals();
  readonly #greetings = new CallRate(createMemoryRates(ownClock), GREETINGS);
  readonly #requests = new CallRate(createMemoryRates(ownClock), REQUESTS);

  readonly #metrics: Pick<Metrics, "refused"> | undefined;

  /** @param log In which the same line stands seldom. */
  constructor(log: Log, most: MostInAMinute, metrics?: Pick<Metrics, "refused">) {
    this.#log = log;
    this.#most = most;
    this.#metrics = metrics;
  }

  /** The same parts, whose refusals are heard. */
  heardIn(parts: ServerParts, { owner, limits }: Principal): ServerParts {
    const { countCall } = parts;
    return {
      ...parts,
      ...(countCall && { countCall: () => this.#refusals.counted(owner, limits.perMinute, countCall) }),
      refused: ({ code }, error) => {
        if (error instanceof BusyError && error.scope === "tenant") this.#tell(owner, error);
        else this.#metrics?.refused(owner, code);
      },
    };
  }

  /** A tenant who was told that this is too often, and goes on; `false`: the request is refused. */
  mayAsk({ owner, limits }: Principal, response: ServerResponse, id: Id = null): boolean {
    const refusal = this.#refusals.of(owner, limits.perMinute);
    if (refusal === undefined) return true;
    this.#tell(owner, refusal);
    tooOften(response, refusal, id);
    return false;
  }

  /** One more session; `false`: the request is refused. */
  mayGreet({ owner }: Principal, response: ServerResponse, id: Id): Promise<boolean> {
    return this.#may(owner, () => this.#greetings.take(owner, this.#most.greetings), response, id);
  }

  /** So many more requests; `false`: they are refused. Nothing need be known but who asks, not even whether the store is there. */
  mayRequest(owner: string, response: ServerResponse, { times = 1, id = null }: Requests = {}): Promise<boolean> {
    const take = async () => {
      for (let n = 0; n < times; n++) await this.#requests.take(owner, this.#most.requests);
    };
    return this.#may(owner, take, response, id);
  }

  async #may(owner: string, take: () => Promise<void>, response: ServerResponse, id: Id): Promise<boolean> {
    try {
      await take();
      return true;
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      const { what, limits, retryAfterMs: leftMs = 0 } = error;
      this.#tell(owner, error);
      tooOften(response, { what, limits, leftMs }, id);
      return false;
    }
  }

  /** @param scope Whose there is too much of: everybody's (`full`), or that of who asks (`enough`). */
  busy({ owner }: Principal, response: ServerResponse, scope: "full" | "enough", why: string): void {
    if (scope === "enough") this.#tell(owner, { what: `a quarter of what there is (${why})`, limits: [] });
    else this.#metrics?.refused(owner, QUOTA);
    busy(response, scope, why);
  }

  /** For whoever runs the server, and may give a tenant more. */
  #tell(owner: string, { what, limits }: Pick<Refusal, "what" | "limits">): void {
    this.#metrics?.refused(owner, QUOTA, limits);
    const name = tenantIn(owner);
    if (name === undefined) return;
    this.#log("warn", `${name}: refused by ${limits.length === 0 ? "a limit" : limits.join(" and ")}: ${what}`);
  }
}
