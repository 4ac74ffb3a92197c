import { lettersOf } from "../names.ts";

/** True for the name of a member that controls privileges, money or state. */
export const isPrivileged = (name: string): boolean => PRIVILEGED.test(lettersOf(name));

const PRIVILEGED =
  /^(roles?|permissions?|scopes?|groups?|is(admin|staff|superuser|verified|active|approved|paid)|admin|verified|approved|paid|balance|credits?|limit|creditlimit|discount|price|owner|ownerid|userid|tenantid|accountid|plan|tier|emailverified|kycstatus)$/i;

/**
 * A value for such a member that grants more than the one it has; undefined where that is not known, or would refer to somebody else.
 * Pure.
 */
export function elevated(name: string, value: unknown): unknown {
  const letters = lettersOf(name);
  if (/^(owner|user|tenant|account)/.test(letters)) return undefined;
  if (value === false || value === null)
    return /^is|admin|verified|approved|paid/.test(letters) ? true : undefined;
  if (typeof value === "number") return value + 1_000;
  if (!/^(roles?|scopes?|groups?|permissions?)$/.test(letters)) return undefined;
  if (Array.isArray(value)) {
    const role = adminLike(value[0]);
    return value.includes(role) ? undefined : [...value, role];
  }
  return typeof value === "string" && value !== adminLike(value) ? adminLike(value) : undefined;
}

/** As the API writes its roles: `ADMIN` where another is `USER`. */
const adminLike = (role: unknown): string =>
  typeof role === "string" && /^[A-Z_]+$/.test(role) ? "ADMIN" : "admin";
