import { SHOP_WEAKNESSES, type Kind } from "@glovebox/demo";
import { CHECKS } from "../../../../scanner-job/src/checks/index.ts";
import type { Row } from "../row.ts";

/** The mode of a scan that proves a weakness: some show only in what a write has changed. */
export type Mode = "safe" | "active";
/** The part of the shop that identities sign in to. */
export type Part = "token" | "desk";

/** Checks that are about one caller, and cannot prove a weakness that lies between two. */
const OF_ONE_CALLER: ReadonlySet<string> = new Set([
  "bola-authorization/predictable-ids",
  "bola-authorization/existence-oracle",
  "property-authorization/mass-assignment-candidates",
]);

const checksOf = (folder: string): string[] =>
  CHECKS.map(({ id }) => id).filter((id) => id.startsWith(`${folder}/`) && !OF_ONE_CALLER.has(id));

const BOLA = checksOf("bola-authorization");
const BFLA = checksOf("bfla-authorization");
const PROPERTY = checksOf("property-authorization");
const AUTHENTICATION = checksOf("authentication");

/** Which checks prove a weakness of each kind, and in which mode. What a scan without writes proves, one with writes does also. */
const PROVED_BY: Readonly<Record<Kind, { readonly checks: readonly string[]; readonly mode: Mode }>> = {
  "object-read": { checks: BOLA, mode: "safe" },
  "object-change": { checks: BOLA, mode: "active" },
  "object-delete": { checks: BOLA, mode: "active" },
  "child-object": { checks: BOLA, mode: "safe" },
  "list-filter": { checks: BOLA, mode: "safe" },
  export: { checks: BOLA, mode: "safe" },
  tenant: { checks: BOLA, mode: "safe" },
  function: { checks: BFLA, mode: "safe" },
  "hidden-function": { checks: BFLA, mode: "safe" },
  field: { checks: PROPERTY, mode: "safe" },
  "mass-assignment": { checks: PROPERTY, mode: "active" },
  "token-after-sign-out": { checks: AUTHENTICATION, mode: "safe" },
  "token-after-password-change": { checks: AUTHENTICATION, mode: "active" },
  "token-after-expiry": { checks: AUTHENTICATION, mode: "safe" },
  "refresh-token-reuse": { checks: AUTHENTICATION, mode: "safe" },
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

export interface IdentityRow extends Row {
  readonly mode: Mode;
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
      weak: {},
      safe: {},
      ...(alsoTrue && { alsoTrue }),
    };
  });
