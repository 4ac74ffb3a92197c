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
import type { ProbeResponse } from "../transport/exchange.ts";
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

interface Rule<Of> extends Impact {
  readonly is: (of: Of) => boolean;
}

/** What the rule that is met first says. */
function firstOf<Of>(rules: readonly Rule<Of>[], of: Of): Impact | undefined {
  const met = rules.find(({ is }) => is(of));
  if (!met) return undefined;
  const { is: _, ...impact } = met;
  return impact;
}

/** A response to a caller without credentials; `json` is what the handler returned. */
interface Read {
  readonly facts: OperationFacts;
  readonly response: ProbeResponse;
  readonly json: unknown;
}

const READS: readonly Rule<Read>[] = [
  { is: holdsCredentials, severity: "critical", isInternal: true, does: "returns credentials" },
  {
    is: ({ json }) => holdsPrivileges(json),
    ...{ severity: "critical", isInternal: true, does: "returns accounts with their roles or permissions" },
  },
  {
    is: ({ json }) =>
      personalRows(Array.isArray(json) ? json : [json], 1).intimate.length +
        personalFields(json).intimate.length >
      0,
    ...{ severity: "critical", isInternal: true, does: "returns personal data that is never public" },
  },
  {
    is: (read) => isAdministrative(read.facts) && holdsContent(read),
    ...{ severity: "critical", isInternal: true, does: "returns data for administrators" },
  },
  {
    is: ({ json }) => isOperational(json),
    isInternal: true,
    does: "shows the configuration or state of the server",
  },
  {
    is: ({ json }) => personalRows(json).contact.length >= 2 && personalRows(json).rows >= 3,
    ...{ severity: "critical", isContact: true, does: "returns names and contact details of persons" },
  },
  {
    is: ({ json }) => personalFields(json).owned.some((name) => !CONTACT.test(name)),
    does: "returns data that belongs to single persons",
  },
  {
    is: (read) =>
      read.facts.security === "required" && holdsContent(read) && !looksPublished(read.facts, read.json),
    ...{ isInternal: true, does: "is documented to require credentials" },
  },
];

/**
 * What a caller without credentials gets in a response; undefined for data that is probably public: no person, no secret, no
 * setting and no administration in it. Pure.
 */
export function impactOfRead(facts: OperationFacts, response: ProbeResponse): Impact | undefined {
  const json: unknown = facts.graphqlField === undefined ? response.json : graphqlData(response.json)[0];
  return firstOf(READS, { facts, response, json });
}

const holdsContent = ({ json }: Read): boolean => holdsData(json) && !tellsVersionOnly(json);

function holdsCredentials({ facts, json, response }: Read): boolean {
  if (handsOutTokens(facts)) return false;
  const keys = secretsIn(response.body).filter(({ kind }) => !MEANT_FOR_CALLERS.has(kind));
  return keys.length + sensitiveFields(json).length > 0;
}

const MEANT_FOR_CALLERS = new Set(["JSON Web Token", "Google API key"]);
const CONTACT = /mail|phone|mobile|address/i;

/** A write as it is documented: the words of its names, the fields that it takes, and what reads of its resource returned. */
interface Write {
  readonly facts: OperationFacts;
  readonly named: readonly string[];
  readonly takes: readonly string[];
  readonly records: readonly unknown[];
}

const WRITES: readonly Rule<Write>[] = [
  {
    is: ({ named, takes }) =>
      takes.some((name) => CODE.test(name)) || named.some((word) => EXECUTES.has(word)),
    ...{ severity: "critical", isInternal: true, does: "executes code or commands that it is sent" },
  },
  {
    is: ({ facts, named }) =>
      isAdministrative(facts) || named.some((word) => ADMINISTERS.has(word) && !isOfPassword(word, named)),
    ...{ severity: "critical", isInternal: true, does: "administers the server" },
  },
  {
    is: (write) => write.takes.some((name) => GRANTS.test(name)) || (changes(write) && isOfAccounts(write)),
    ...{ severity: "critical", isInternal: true, does: "changes, promotes or deletes users" },
  },
  { is: ({ facts }) => isDestructive(facts), does: "deletes or resets data" },
  { is: changes, does: "changes or deletes data" },
  { is: ({ named }) => !named.some((word) => SUBMISSIONS.has(word)), does: "stores or sends data" },
];

/**
 * What anybody may do with a write that requires no credentials, by what it takes and what its resource holds; undefined for
 * what everybody may send: a sign-in, a registration, a message to the owner. `records` is what reads of its resource
 * returned. Pure.
 */
export function impactOfWrite(facts: OperationFacts, records: readonly unknown[]): Impact | undefined {
  const named = namesOf(facts);
  const isForAll = isPublicByNature(facts) || isPreview(facts) || SIGNS_OUT.test(named.join(" "));
  return isForAll ? undefined : firstOf(WRITES, { facts, named, takes: fieldsOf(facts), records });
}

/** A password is reset for one user, and the server is not. */
const isOfPassword = (word: string, named: readonly string[]): boolean =>
  word === "reset" && named.some((other) => /^(password|passwd|pwd)$/.test(other));

const SIGNS_OUT = /log ?out|sign ?out|log ?off/;

/** Words of its path, operationId and field. */
const namesOf = ({ path, operationId = "", graphqlField = "" }: OperationFacts): string[] =>
  [...path.split("/").filter((segment) => !segment.startsWith("{")), operationId, graphqlField].flatMap(
    wordsOf,
  );

const fieldsOf = ({ body, parameters }: OperationFacts): string[] =>
  [...(body?.fields ?? []), ...parameters.filter((parameter) => parameter.in !== "path")].map(({ name }) =>
    lettersOf(name.slice(name.lastIndexOf(".") + 1)),
  );

function changes({ facts: { method, graphqlField }, named }: Write): boolean {
  return method !== "POST" || (graphqlField !== undefined && named.some((word) => CHANGES.has(word)));
}

/** By the records of the resource, or by its name where none were seen. */
const isOfAccounts = ({ named, records }: Write): boolean =>
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
