import type { ServerResponse } from "node:http";
import type { Refusal as TenantRefusal } from "../access/refusals.js";
import { limitOfTenant, whereSet } from "../jobs/busy.js";
import type { Refusal } from "./http-body.js";
import { REFUSED } from "./message.js";

/** Of a request in JSON-RPC. */
export type Id = NonNullable<Refusal["id"]> | null;

export function idOf(message: object): Id {
  const { id } = message as { id?: Id };
  return id ?? null;
}

export function because(status: number, message: string): Refusal {
  return { status, code: REFUSED, message };
}

/** @param scope Whose there is too much of: everybody's (`full`), or that of who asks (`enough`). */
export function busy(response: ServerResponse, scope: "full" | "enough", why: string): void {
  response.setHeader("retry-after", "60");
  const [status, what] =
    scope === "full" ? [503, why] : [429, `a quarter of what there is (${why}) is the most for one`];
  refuse(response, because(status, `Busy: ${what}. Ask again in a minute.`));
}

/** A tenant is told that this is too often, and for how long. */
export function tooOften(response: ServerResponse, { what, limits, leftMs }: TenantRefusal, id: Id): void {
  const seconds = Math.ceil(leftMs / 1_000);
  response.setHeader("retry-after", String(seconds));
  const message = `QUOTA_EXCEEDED: ${limitOfTenant(what, limits)} Ask again in ${seconds} s.${whereSet(limits)}`;
  refuse(response, { ...because(429, message), id });
}

export function refuse(response: ServerResponse, { status, code, message, id = null, unread }: Refusal): void {
  // What the client still sends is not read.
  if (unread || status === 401) response.setHeader("connection", "close");
  if (status === 503 && !response.hasHeader("retry-after")) response.setHeader("retry-after", "60");
  send(response, status, { jsonrpc: "2.0", error: { code, message }, id });
}

export function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
