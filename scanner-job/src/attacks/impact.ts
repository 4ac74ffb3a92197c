import type { Severity } from "@glovebox/contract";
import { graphqlData } from "../inventory/graphql/request.ts";
import { isDestructive, isPreview } from "../inventory/effects.ts";
import type { OperationFacts } from "../inventory/operation.ts";
import { lettersOf, wordsOf } from "../names.ts";
import { holdsData } from "../oracles/records.ts";
import { holdsPrivileges, isOperational } from "../signatures/operational-data.ts";
import { personalFields, personalRows } from "../signatures/personal-data.ts";
import { secretsIn } from "../signatures/secrets.ts";
import { sensitiveFields } from "../signatures/sensitive-fields.ts";
import type { Reply } from "../transport/exchange.ts";
import { looksPublished, tellsVersionOnly } from "./published.ts";
import { handsOutTokens, isAdministrative, isPublicByNature } from "./purpose.ts";

/** What it means that anybody may call an operation. */
export interface Impact {
  /** `high` unless given. */
  readonly severity?: Severity;
  /** Completes "The operation …". */
  readonly does: string;
  /** True for what no owner publishes: it shows that the whole API lacks authentication, and not that one part is public. */
  readonly isInternal?: true;
  /** True for ways to reach people, which an API that only reads may list on purpose. */
  readonly isContact?: true;
}

const CRITICAL = { severity: "critical" } as const;

/**
 * What a caller without credentials gets in a response; undefined for data that is probably public: no person, no secret, no
 * setting and no administration in it. Pure.
 */
export function impactOfRead(facts: OperationFacts, reply: Reply): Impact | undefined {
  const json: unknown = facts.graphqlField === undefined ? reply.json : graphqlData(reply.json)[0];
  const isData = holdsData(json) && !tellsVersionOnly(json);
  if (holdsCredentials(facts, reply)) return { ...CRITICAL, does: "returns credentials", isInternal: true };
  if (holdsPrivileges(json))
    return { ...CRITICAL, does: "returns accounts with their roles or permissions", isInternal: true };
  const { intimate } = personalRows(Array.isArray(json) ? json : [json], 1);
  if (intimate.length + personalFields(json).intimate.length > 0)
    return { ...CRITICAL, does: "returns personal data that is never public", isInternal: true };
  if (isData && isAdministrative(facts))
    return { ...CRITICAL, does: "returns data for administrators", isInternal: true };
  if (isOperational(json)) return { does: "shows how the server is set up or runs", isInternal: true };
  const { rows, contact } = personalRows(json);
  if (contact.length >= 2 && rows >= 3)
    return { ...CRITICAL, does: "returns names of persons and ways to reach them", isContact: true };
  if (personalFields(json).owned.some((name) => !CONTACT.test(name)))
    return { does: "returns data that belongs to single persons" };
  if (isData && facts.security === "required" && !looksPublished(facts, json))
    return { does: "is documented to require credentials", isInternal: true };
  return undefined;
}

function holdsCredentials(facts: OperationFacts, { json, body }: Reply): boolean {
  if (handsOutTokens(facts)) return false;
  const keys = secretsIn(body).filter(({ kind }) => kind !== "JSON Web Token" && kind !== "Google API key");
  return keys.length + sensitiveFields(json).length > 0;
}

const CONTACT = /mail|phone|mobile|address/i;

/**
 * What anybody may do with a write that requires no credentials, by what it takes and what its resource holds; undefined for
 * what everybody may send: a sign-in, a registration, a message to the owner. `records` is what reads of its resource
 * returned. Pure.
 */
export function impactOfWrite(facts: OperationFacts, records: readonly unknown[]): Impact | undefined {
  const named = namesOf(facts);
  if (isPublicByNature(facts) || isPreview(facts) || /log ?out|sign ?out|log ?off/.test(named.join(" ")))
    return undefined;
  const takes = fieldsOf(facts);
  if (takes.some((name) => CODE.test(name)) || named.some((word) => EXECUTES.has(word)))
    return { ...CRITICAL, does: "executes what it is sent", isInternal: true };
  if (isAdministrative(facts) || named.some((word) => ADMINISTERS.has(word)))
    return { ...CRITICAL, does: "administrates the server", isInternal: true };
  const grants = takes.some((name) => GRANTS.test(name));
  if (grants || (changes(facts, named) && isOfAccounts(named, records)))
    return { ...CRITICAL, does: "changes, promotes or deletes users", isInternal: true };
  if (isDestructive(facts))
    return { ...CRITICAL, does: "deletes or resets data, or stops the server", isInternal: true };
  if (facts.method === "POST" && named.some((word) => SUBMISSIONS.has(word))) return undefined;
  return { does: changes(facts, named) ? "changes or deletes data" : "stores or sends data" };
}

/** Words of its path, operationId and field. */
const namesOf = ({ path, operationId = "", graphqlField = "" }: OperationFacts): string[] =>
  [...path.split("/").filter((segment) => !segment.startsWith("{")), operationId, graphqlField].flatMap(
    wordsOf,
  );

const fieldsOf = ({ body, parameters }: OperationFacts): string[] =>
  [...(body?.fields ?? []), ...parameters.filter((parameter) => parameter.in !== "path")].map(({ name }) =>
    lettersOf(name.slice(name.lastIndexOf(".") + 1)),
  );

const changes = ({ method, graphqlField }: OperationFacts, named: readonly string[]): boolean =>
  method !== "POST" || (graphqlField !== undefined && named.some((word) => CHANGES.has(word)));

/** By the records of the resource, or by its name where none were seen. */
const isOfAccounts = (named: readonly string[], records: readonly unknown[]): boolean =>
  records.some((json) => holdsPrivileges(json) || personalRows(json, 1).contact.length >= 2) ||
  named.some((word) => ACCOUNTS.has(word));

const CODE =
  /^(code|script|scripts|command|commandline|cmd|shell|sql|expression|program|sourcecode|entrypoint|lambda|payloadclass)$/;
const EXECUTES = new Set("exec execute eval shell terminal cmd command commands script scripts".split(" "));
const ADMINISTERS = new Set(
  "config configs configuration settings plugin plugins shutdown restart reboot reload reset upgrade backup restore".split(
    " ",
  ),
);
const GRANTS = /^(roles?|roleid|permissions?|privileges?|is(admin|administrator|superuser|staff)|superuser)$/;
const ACCOUNTS = new Set(
  "user users account accounts member members customer customers employee employees".split(" "),
);
const CHANGES = new Set(
  "update edit modify change set rename delete remove promote demote grant revoke assign ban".split(" "),
);
const SUBMISSIONS = new Set(
  (
    "contact feedback newsletter subscribe subscription subscriptions unsubscribe inquiry enquiry survey vote votes " +
    "telemetry analytics beacon csp track webhook webhooks callback hook login signin signup register registration " +
    "password forgot token tokens session sessions auth"
  ).split(" "),
);
