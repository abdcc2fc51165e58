import { type Access, openAccess } from "../../src/access/access.js";
import type { AccessSettings } from "../../src/host/access-settings.js";

/** Who may come in by these settings. Default: whoever reaches the server. */
export function accessBy(
  settings: Partial<AccessSettings> = {},
  log: (message: string) => void = () => {},
): Promise<Access> {
  const all = { token: undefined, tokensFile: undefined, oauth: undefined, limits: {}, ...settings };
  return openAccess(all, (level, message) => log(`${level} ${message}`));
}
