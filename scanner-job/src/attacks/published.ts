import type { Operation, OperationFacts } from "../inventory/operation.ts";
import { walk } from "../json.ts";
import { plainName, wordsOf } from "../names.ts";
import { personalFields, personalRows } from "../signatures/personal-data.ts";
import { sensitiveFields } from "../signatures/sensitive-fields.ts";

/**
 * True for a response that is probably public by intent: products, locations or articles by its path, nothing
 * of a person or secret in it, and a demand for credentials that only the document as a whole makes.
 */
export function looksPublished(facts: OperationFacts, json: unknown): boolean {
  return facts.securityIsGlobal === true && namesPublished(facts) && looksPublic(json);
}

/** The same for a demand that the document contradicts: it makes none for reading one object of the list. */
export const looksPublishedByObject = (
  facts: OperationFacts,
  json: unknown,
  { operations }: { readonly operations: readonly Operation[] },
): boolean =>
  operations.some(
    ({ facts: { method, base, path, security } }) =>
      method === "GET" &&
      (security === "undeclared" || security === "none") &&
      /^\/\{[^{}/]+\}\/?$/.test((base + path).slice((facts.base + facts.path).length)) &&
      (base + path).startsWith(facts.base + facts.path),
  ) &&
  namesPublished(facts) &&
  looksPublic(json);

/** True for an operation on what is usually published: products, locations or articles. */
export const namesPublished = ({ path }: Pick<OperationFacts, "path">): boolean =>
  path
    .split("/")
    .flatMap(wordsOf)
    .some((word) => PUBLISHED.has(word));

/** True for a response with nothing of a person or secret in it. A name of two words alone may be the name of goods. */
export function looksPublic(json: unknown): boolean {
  const { intimate, owned } = personalFields(json);
  const rows = personalRows(json);
  const contact = rows.contact.filter((label) => label !== "name");
  const isPersonal = intimate.length + owned.length + rows.intimate.length + contact.length > 0;
  return !isPersonal && sensitiveFields(json).length === 0;
}

/** True for a response whose only personal data is how to reach people: no secret, and nothing that is never public. */
export function holdsContactsAlone(json: unknown): boolean {
  const { intimate } = personalFields(json);
  return intimate.length + personalRows(json).intimate.length === 0 && sensitiveFields(json).length === 0;
}

const PUBLISHED = new Set(
  (
    "catalog catalogue products product categories category brands articles article posts blog news books movies films " +
    "songs albums genres recipes menu menus stores shops locations countries cities currencies languages airports " +
    "stations timetable schedules exhibitions museums medications plants animals pets breeds holidays weather faq faqs " +
    "pages tags translations i18n"
  ).split(" "),
);

/** A health or version response, which is public by intent. */
export function tellsVersionOnly(json: unknown): boolean {
  const leaves = [...walk(json, { depth: 4, values: 50 })].filter(({ value }) => typeof value !== "object");
  return leaves.length > 0 && leaves.every(({ key }) => VERSION.test(plainName(key)));
}

const VERSION =
  /^(version|apiversion|appversion|build\w*|commit\w*|revision|release\w*|name|app|appname|application|service|product|status|state|health|healthy|ok|uptime|time|timestamp|date|message)$/;
