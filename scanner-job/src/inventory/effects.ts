import { wordsOf } from "../names.ts";
import type { OperationFacts } from "./operation.ts";
import { LIKELY_ATTEMPT, WELL_FORMED, type WriteForm } from "../transport/exchange.ts";
import { isRegistration, signInFields } from "./sign-in.ts";

/** The parts of an operation's description that indicate its effects. */
type Named = Pick<OperationFacts, "path"> &
  Partial<
    Pick<
      OperationFacts,
      | "method"
      | "operationId"
      | "summary"
      | "body"
      | "parameters"
      | "responses"
      | "source"
      | "graphqlField"
      | "graphqlMutation"
      | "soapOperation"
    >
  >;

/**
 * True for an operation that by its path, operationId or summary resets, deletes, stops or signs out. It is never
 * called, regardless of its method. A DELETE of one object is judged by its path alone: its name always contains delete, and it
 * is only ever sent for an object that cannot exist.
 */
export function isDestructive({ method, path, operationId = "", summary = "" }: Named): boolean {
  if (PASSWORD.test(`${path} ${operationId} ${summary}`)) return false;
  if (destroysByPath(path, method)) return true;
  if (method === "DELETE") return false;
  const named = verbsOf(operationId);
  const stated = verbsOf(summary).slice(0, 1).map(infinitive);
  return (
    named.some((word) => DESTROYS.has(word)) ||
    [...named.slice(0, 1), ...stated].some((word) => DESTROYS.has(word) || COMMANDS.has(word)) ||
    (CLEARS_DATA.test(summary) && !DENIES.test(summary)) ||
    [operationId, summary].some((name) => endsAccess(verbsOf(name)))
  );
}

function destroysByPath(path: string, method: string | undefined): boolean {
  const segments = path.split("/").filter((segment) => segment !== "" && !segment.startsWith("{"));
  const words = segments.flatMap((segment) => verbsOf(segment));
  const last = path.endsWith("}") ? [] : verbsOf(segments.at(-1) ?? "").slice(0, 1);
  return (
    words.some((word) => DESTROYS.has(word)) ||
    last.some((word) => COMMANDS.has(word)) ||
    endsAccess(words) ||
    (method === "DELETE" && OWN.test(path))
  );
}

/** The session or the account of the caller, as the end of a path: to a scan that is signed in, it is its own. */
const OWN = /\/(me|self|session|(my-?_?)?account|(my-?_?)?profile|current)\/?$/i;
const ENDS_ACCESS =
  /\b(end|close|expire|invalidate|disable|cancel)s? ((my|your|own|the|this|current|user) ){0,2}(session|account|profile|membership)\b|\b(me|self|session|account|profile) (end|close|expire|invalidate|disable|cancel)\b/;
const endsAccess = (words: readonly string[]): boolean => ENDS_ACCESS.test(words.join(" "));

/** Words of a name; `log-out` and `signOut` are one word each. */
const verbsOf = (name: string): string[] =>
  wordsOf(name)
    .filter((word) => word !== "")
    .join(" ")
    .replace(/\b(log|sign) (out|off)\b/g, "$1$2")
    .replace(/\b(create|drop|reset|init|clear|seed|wipe) (db|database)\b/g, "$1db")
    .split(" ");

/** `Deletes` and `Purges` as `delete` and `purge`. */
const infinitive = (word: string): string =>
  [word, word.replace(/s$/, ""), word.replace(/es$/, "")].find(
    (form) => DESTROYS.has(form) || COMMANDS.has(form),
  ) ?? word;

/** A forgotten password is reset for one user, who is asked first. */
const PASSWORD = /pass-?_?(word|phrase|code)|passwd|pwd/i;
/** Destructive wherever the word stands in a name. */
const DESTROYS = new Set(
  (
    "reset purge delete remove destroy wipe truncate shutdown restart reboot logout logoff signout signoff " +
    "unsubscribe unregister deregister endsession revoke deactivate uninstall terminate factoryreset deleteall removeall purgeall resetall logoutall " +
    "createdb dropdb resetdb initdb cleardb seeddb wipedb"
  )
    .split(" ")
    .concat("erase"),
);
/** Destructive as the first word of a name or of the end of a path: a `/stop/{id}` may be for a bus. */
const COMMANDS = new Set(
  "drop clear flush stop kill cancel init install setup seed populate migrate rollback restore cleanup".split(
    " ",
  ),
);
const CLEARS_DATA =
  /\b((re)?sets?|drops?|wipes?|truncates?|purges?|deletes?|erases?|clears?|recreates?|re-?creates?|populates?|re-?initiali[sz]es?|seeds?)\b.{0,40}\b(databases?|db|tables?|everything|all (data|records|rows|entries))\b/i;
const DENIES = /\b(not|never|without|no)\b/i;

/**
 * True for an operation that by its own name only reads or fetches, besides those of `isPreview`: a test, a check,
 * a lookup. Its POST may be sent with a value that leads to nothing.
 */
export const isDryRun = (facts: Named): boolean => isNamed(facts, LOOKS) || isPreview(facts);

/**
 * True for an operation that by its own name only computes: a preview, a validation. Its POST may be sent as the
 * document describes it, because it stores nothing. Words that mean a change (`create`, `save`) forbid it.
 */
export const isPreview = (facts: Named): boolean => isNamed(facts, COMPUTES);

/**
 * True for a POST that by its own name only reads, which it does by POST because what it takes is long or has
 * structure: a search, a query of GraphQL, a preview. It may be sent as the document describes it, where there is one.
 */
export const isPostedRead = (facts: Named): boolean =>
  (facts.method === "POST" || facts.method === "QUERY") &&
  !isDestructive(facts) &&
  (readsByProtocol(facts) || ((isNamed(facts, SEARCHES) || isPreview(facts)) && declaresNoCreation(facts)));

/** The form of a POST that is called with the values of the document: one that reads, or signs in. Undefined for all others. */
export function defaultForm(facts: Named): WriteForm | undefined {
  if (isPostedRead(facts)) return WELL_FORMED;
  // The example of a document may be the credentials of an account.
  return !isDestructive(facts) && signInFields(facts) ? LIKELY_ATTEMPT : undefined;
}

/**
 * What a document declares the effect of a POST to be: it `reads`, or `looks` at something else than its own data by a fetch, a
 * test or a check, which may do more. `unknown` for all others, and for what no document describes.
 */
export function declaredEffect(facts: Named & Pick<OperationFacts, "source">): "reads" | "looks" | "unknown" {
  if (readsByProtocol(facts)) return "reads";
  if (facts.source !== "spec") return "unknown";
  if (isPostedRead(facts)) return "reads";
  return facts.method === "POST" && isDryRun(facts) && declaresNoCreation(facts) ? "looks" : "unknown";
}

/** By the schema of GraphQL or the description of a SOAP service, or by the method. */
const readsByProtocol = ({ method, graphqlField, graphqlMutation, soapOperation }: Named): boolean =>
  method === "QUERY" ||
  (graphqlField !== undefined && !graphqlMutation) ||
  (soapOperation !== undefined && READS.has(verbsOf(soapOperation)[0] ?? ""));

const declaresNoCreation = (facts: Named): boolean =>
  !(facts.responses ?? []).some(({ status }) => status === "201" || status === "202") &&
  !wordsOf(facts.summary ?? "").some((word) => ADDS.has(infinitiveOfAct(word))) &&
  !isRegistration(facts);

/**
 * True for a POST whose path, operationId and summary name no change and no act, that is not a collection or a resource
 * beside a GET of the same path (which POST adds to or changes), and whose document requires members of a JSON body. What
 * it does is unknown: it may only be sent bodies that its validation must refuse.
 */
export function mayBeProbedByInvalidBody(
  facts: OperationFacts,
  all: readonly { readonly facts: Pick<OperationFacts, "base" | "path" | "method"> }[],
): boolean {
  // All operations are looked through last: that would take the square of their number.
  return (
    facts.method === "POST" &&
    demandsMembers(facts) &&
    !isCollection(facts.path) &&
    !isDestructive(facts) &&
    !namesAct(facts) &&
    !all.some((other) => readsWhatItPosts(facts, other.facts))
  );
}

const namesAct = ({ path, operationId = "", summary = "" }: OperationFacts): boolean =>
  [...path.split("/"), operationId, summary]
    .flatMap((name) => wordsOf(name))
    .map(infinitiveOfAct)
    .some((word) => CHANGES.has(word) || ACTS.has(word));

const isCollection = (path: string): boolean => path.endsWith("}") || /[^s]s$/i.test(lastSegmentOf(path));

const readsWhatItPosts = (
  { base, path }: OperationFacts,
  other: Pick<OperationFacts, "base" | "path" | "method">,
): boolean =>
  other.base === base &&
  ((other.path === path && other.method !== "POST") || other.path.startsWith(`${path.replace(/\/$/, "")}/{`));

const demandsMembers = ({ body }: OperationFacts): boolean =>
  body?.required === true &&
  /json/i.test(body.mediaType) &&
  body.fields.some(({ path, name, required }) => required && path === name);

/** `Sends`, `created` and `booking` as the verbs that they are of. */
const infinitiveOfAct = (word: string): string =>
  [
    word,
    word.replace(/s$/, ""),
    word.replace(/e?d$/, ""),
    word.replace(/d$/, ""),
    word.replace(/ing$/, ""),
    word.replace(/ing$/, "e"),
  ].find((form) => CHANGES.has(form) || ACTS.has(form)) ?? word;

const ACTS = new Set(
  (
    "run start execute trigger invoke process apply approve reject confirm accept cancel pay charge transfer withdraw " +
    "deposit buy sell order checkout book reserve ship refund assign grant invite share follow like vote rate subscribe " +
    "join leave enable disable activate lock unlock block ban import sync notify notification message mail sms register " +
    "signup change set switch toggle rotate renew refresh generate issue move copy clone merge archive restore rename " +
    "close open finish complete post put patch write insert edit modify upsert replace append push log track report " +
    "record comment reply callback webhook hook event batch bulk deploy build schedule queue emit broadcast call sign " +
    "new make edit upgrade downgrade install redeem claim donate bid"
  ).split(" "),
);

function isNamed({ path, operationId }: Named, wanted: ReadonlySet<string>): boolean {
  const words = wordsOf(`${lastSegmentOf(path)} ${operationId ?? ""}`.replace(/dry-run/i, "dryrun"));
  return words.some((word) => wanted.has(word)) && !words.some((word) => CHANGES.has(word));
}

const COMPUTES = new Set("preview validate validation render parse dryrun estimate".split(" "));
const SEARCHES = new Set(
  (
    "search query filter find lookup autocomplete suggest count calculate calculator " +
    "compute compare convert translate introspect browse nearby geocode typeahead match similar explain decode " +
    "eligibility quote suche suchen finden buscar busqueda consultar recherche rechercher chercher cerca cercare ricerca " +
    "pesquisar pesquisa zoeken zoek"
  ).split(" "),
);
/** First words of names in SOAP, where everything is posted. */
const READS = new Set("get list read fetch find search query lookup show describe count".split(" "));
const LOOKS = new Set(
  "fetch proxy check test verify scrape unfurl crawl screenshot probe lookup resolve".split(" "),
);
const CHANGES = new Set(
  "create save update delete remove add send submit publish store upload email otp code payment payments".split(
    " ",
  ),
);

/** Verbs of a summary; many of the others are also nouns. */
const ADDS = new Set("create save register insert add submit publish upload send".split(" "));

const lastSegmentOf = (path: string): string =>
  path.split("/").findLast((segment) => segment !== "" && !segment.startsWith("{")) ?? "";
