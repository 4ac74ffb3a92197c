import { SHOP_WEAKNESSES, type Kind } from "@glovebox/demo";
import type { Row } from "../row.ts";

/** The mode of a scan that proves a weakness: some show only in what a write has changed. */
export type Mode = "safe" | "active";
/** The part of the shop that identities sign in to. */
export type Part = "token" | "desk";
/** Who scans: the users of a part, given to the scan, or users that it registers itself at the first. */
export type Callers = Part | "self-registered";

const USER_OBJECTS = [
  "user-object-read",
  "user-child-read",
  "user-file-read",
  "user-object-by-parameter",
  "user-filter",
  "tenant-switch",
].map((name) => `bola-authorization/${name}`);
const FUNCTIONS = ["admin-operation-as-user", "admin-write-as-user", "role-check-bypass"].map(
  (name) => `bfla-authorization/${name}`,
);
const FIELDS = ["fields-beyond-role", "secrets-of-other-users"].map(
  (name) => `property-authorization/${name}`,
);

/** Which checks prove a weakness of each kind, and in which mode. What a scan without writes proves, one with writes does also. */
const PROVED_BY: Readonly<Record<Kind, { readonly checks: readonly string[]; readonly mode: Mode }>> = {
  "object-read": { checks: USER_OBJECTS, mode: "safe" },
  "object-change": { checks: ["bola-authorization/object-change"], mode: "active" },
  "object-delete": { checks: ["bola-authorization/object-deletion"], mode: "active" },
  "child-object": { checks: USER_OBJECTS, mode: "safe" },
  "list-filter": { checks: USER_OBJECTS, mode: "safe" },
  export: { checks: USER_OBJECTS, mode: "safe" },
  tenant: { checks: USER_OBJECTS, mode: "safe" },
  function: { checks: FUNCTIONS, mode: "safe" },
  "hidden-function": { checks: FUNCTIONS, mode: "safe" },
  field: { checks: FIELDS, mode: "safe" },
  "mass-assignment": {
    checks: ["mass-assignment", "mass-assignment-at-registration"].map(
      (name) => `property-authorization/${name}`,
    ),
    mode: "active",
  },
  "token-after-sign-out": { checks: ["authentication/session-after-sign-out"], mode: "safe" },
  "token-after-password-change": {
    checks: ["authentication/session-after-password-change"],
    mode: "active",
  },
  "token-after-expiry": { checks: ["authentication/token-after-expiry"], mode: "safe" },
  "refresh-token-reuse": { checks: ["authentication/refresh-token-reuse"], mode: "safe" },
  "sql-injection": {
    checks: ["boolean", "error", "statement", "time"].map((proof) => `input-validation/sql-${proof}`),
    mode: "safe",
  },
  "server-side-request": {
    checks: ["ssrf/full-response-fetch", "ssrf/metadata-reachable", "ssrf/in-band-differential"],
    mode: "safe",
  },
  "stack-trace": { checks: ["data-exposure/stack-trace"], mode: "safe" },
  "reflected-markup": { checks: ["input-validation/reflected-markup"], mode: "safe" },
  "stored-markup": { checks: ["input-validation/stored-markup"], mode: "active" },
  "negative-quantity": { checks: ["input-validation/negative-quantity"], mode: "active" },
  "single-use": { checks: ["rate-limiting/single-use"], mode: "active" },
  "code-guessing": { checks: ["rate-limiting/code-throttling"], mode: "active" },
  race: { checks: ["rate-limiting/single-use-race"], mode: "active" },
  "skipped-step": { checks: ["bfla-authorization/skipped-step"], mode: "active" },
};

/** What is also true at the location of a weakness of a kind, with the reason. */
const ALSO_TRUE: Partial<Record<Kind, Row["alsoTrue"]>> = {
  "sql-injection": { "data-exposure/database-error": "the error of the database is in the response" },
  "server-side-request": { "data-exposure/secrets-in-answers": "what it fetches has credentials" },
};

/** An object that a POST returns by an id in its body: a scan that does not write sends it ids that cannot exist only. */
const isReadByPost = ({ method, kind }: { method: string; kind: Kind }): boolean =>
  method === "POST" && ["object-read", "tenant"].includes(kind);

const partOf = (path: string): Part => (path.startsWith("/desk/") ? "desk" : "token");

/** What takes an administrator, a colleague, a company or the demo's own configuration, which users who register do not have. */
const OF_GIVEN_USERS: ReadonlySet<Kind> = new Set([
  "function",
  "hidden-function",
  "field",
  "tenant",
  "refresh-token-reuse",
]);
/** Users who register have none of these, and the scan cannot create them. */
const NOT_CREATED = /\/(invoices|lists|basket|comments|deliveries)(\/|$)/;

export interface IdentityRow extends Row {
  readonly mode: Mode;
  /** Users who register themselves are enough to prove it. */
  readonly bySelfRegistered: boolean;
}

/** The weaknesses that the identities of one part reach. */
export const identityRows = (part: Part): readonly IdentityRow[] =>
  SHOP_WEAKNESSES.filter(({ path }) => partOf(path) === part).map((weakness) => {
    const { kind, method, path } = weakness;
    const alsoTrue = ALSO_TRUE[kind];
    return {
      checks: PROVED_BY[kind].checks,
      mode: isReadByPost(weakness) ? "active" : PROVED_BY[kind].mode,
      at: `${method} /shop${path}`,
      bySelfRegistered: !OF_GIVEN_USERS.has(kind) && !NOT_CREATED.test(path),
      weak: {},
      safe: {},
      ...(alsoTrue && { alsoTrue }),
    };
  });
