import { walk } from "../json.ts";
import { lettersOf } from "../names.ts";
import { personalFields, personalRows } from "../signatures/personal-data.ts";
import { sensitiveFields } from "../signatures/sensitive-fields.ts";
import { isNamedInText, ownerMemberIn, type Markers } from "./markers.ts";

/** Why data is not for everybody. */
export interface Privacy {
  /** Completes "The object". */
  readonly reason: string;
  /** It names its owner, and not only data of a person. */
  readonly isProven: boolean;
}

/**
 * Why what several callers are shown belongs to its owner: it names the owner, holds data of a person that is never public, or a
 * secret. Undefined for what may be for everybody, and for what says that it is. Pure.
 */
export function privacyOf(data: unknown, owner: Markers): Privacy | undefined {
  if (typeof data === "string")
    return isNamedInText(data, owner) ? { reason: "names its owner", isProven: true } : undefined;
  if (saysShared(data)) return undefined;
  const member = ownerMemberIn(data, owner);
  if (member !== undefined) return { reason: `names its owner in ${member}`, isProven: true };
  const rows: readonly unknown[] = Array.isArray(data) ? data : [data];
  const { intimate, contact } = personalRows(rows, 1);
  const personal = [...intimate, ...(contact.length > 1 ? contact : []), ...personalFields(data).owned];
  if (personal.length > 0)
    return { reason: `contains ${[...new Set(personal)].slice(0, 4).join(", ")}`, isProven: false };
  const [secret] = sensitiveFields(data);
  return secret && { reason: `contains a ${secret.kind} in ${secret.path}`, isProven: false };
}

/** An object says that it is for others: `public: true`, `visibility: "team"`, `shared: true`. */
export const saysShared = (data: unknown): boolean =>
  [...walk(data, { depth: 2, items: 1, values: 200 })].some(({ key, value }) => {
    const name = lettersOf(key);
    return (
      (/^(is)?(public|published|shared)$/.test(name) && value === true) ||
      (/^(is)?private$/.test(name) && value === false) ||
      (/^(visibility|access|privacy|scope|sharing)$/.test(name) &&
        /^(public|published|shared|team|members?|everyone|all|internal|organi[sz]ation|tenant|world)$/i.test(
          String(value),
        ))
    );
  });
