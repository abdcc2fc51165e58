import { timingSafeEqual } from "node:crypto";
import type { AccessSettings } from "../host/access-settings.js";
import type { Log } from "../host/log.js";
import { seldom } from "../host/seldom.js";
import { PERSON } from "../jobs/job-record.js";
import type { Issuer } from "./oauth.js";
import { digestOf, type Principal, type TokenReader } from "./principal.js";
import { createTokenFile, type TokenFile } from "./token-file.js";
import { type WatchOptions, watchTenants } from "./watch.js";

/** Who may use the server, by what a request says of itself. */
export interface Access {
  /**
   * Whose request it is, by its `Authorization` header. `undefined`: nobody's. Rejects when it cannot be found out now.
   */
  principalOf(authorization: string | undefined): Promise<Principal | undefined>;
  /** Nobody has to say who they are. */
  readonly isOpen: boolean;
  /** Several who know nothing of each other use it. */
  readonly hasTenants: boolean;
  /** Whose tokens are taken, where an issuer makes them. */
  readonly oauth: { issuer: string; audience: string } | undefined;
  /** Tells of the tenants of the file: of all at first, then of changes. Gives the way to stop. */
  watch(who: Pick<WatchOptions, "owners" | "tell">): () => void;
  /** Why nobody can come in now, or not everybody. */
  problem(): Promise<string | undefined>;
}

/** Rejects when what says who may use the server cannot be read: then it must not start. */
export async function openAccess(settings: AccessSettings, log: Log): Promise<Access> {
  const { token, tokensFile, oauth, limits } = settings;
  const readers: TokenReader[] = [];
  let file: TokenFile | undefined;
  let issuer: Issuer | undefined;
  if (token !== undefined) readers.push(oneToken(token));
  if (tokensFile !== undefined) {
    file = createTokenFile(tokensFile, log, limits);
    await file.load();
    readers.push(file.principalOf);
  }
  if (oauth !== undefined) {
    const { issuedBy } = await import("./oauth.js");
    issuer = issuedBy(oauth, limits, seldom(log));
    readers.push(issuer.principalOf);
  }
  return {
    isOpen: readers.length === 0,
    hasTenants: tokensFile !== undefined || oauth !== undefined,
    oauth,
    watch: (who) => (file === undefined ? () => {} : watchTenants({ ...who, tenants: file.tenants, log })),
    async problem() {
      try {
        await Promise.all([file?.tenants(), issuer?.known()]);
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    },
    async principalOf(authorization) {
      // Without a token, which only a server on loopback may lack, it is the person at the machine.
      if (readers.length === 0) return { owner: PERSON, limits: {} };
      const given = /^Bearer +(\S+)$/i.exec(authorization ?? "")?.[1];
      if (given === undefined) return undefined;
      for (const read of readers) {
        const principal = await read(given);
        if (principal !== undefined) return principal;
      }
      return undefined;
    },
  };
}

/** The one-tenant form: whoever has the token. */
function oneToken(token: string): TokenReader {
  const digest = digestOf(token);
  const owner = `token-${digest.toString("hex").slice(0, 16)}`;
  // Digests are compared, so that neither content nor length shows in the time it takes.
  return (given) => (timingSafeEqual(digestOf(given), digest) ? { owner, limits: {} } : undefined);
}
