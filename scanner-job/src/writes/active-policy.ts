import { parentOf } from "../inventory/discovery/path-template.ts";
import type { OperationFacts } from "../inventory/operation.ts";
import { passwordChange } from "../inventory/sign-in.ts";
import { walk } from "../json.ts";
import { lettersOf, percentDecoded } from "../names.ts";
import { isAction } from "../sequences/actions.ts";
import type { ProbeRequest } from "../transport/exchange.ts";

/** What an active scan has created so far, as its policy needs it. */
export interface OwnObjects {
  /** Is in a text of everything that the scan creates. */
  readonly marker: string;
  /** Paths of its objects. */
  readonly paths: ReadonlySet<string>;
  /** Ids of its objects by the name of their resource: `note`; those of its accounts by `user`. */
  readonly ids: ReadonlyMap<string, ReadonlySet<string>>;
  /** Callers that are accounts of its own. */
  readonly accounts: ReadonlySet<string>;
  /** No write more can be journaled. */
  readonly isFull: boolean;
}

/** A write of an active scan. */
export interface ActiveWrite {
  readonly request: ProbeRequest;
  /** The operation's, where it is known; `path` is its template below the origin. */
  readonly operation: { readonly path: string; readonly facts: OperationFacts } | undefined;
  /** The operation creates objects, or registers users. */
  readonly creates: boolean;
}

export type ActiveDecision = "send" | { readonly refused: string };

/**
 * Decides about a write that is not careful: it creates something that is marked as the scan's, or is to something that the scan
 * created. Nothing in its path, query, headers or body names anything else. Pure.
 */
export function decideActive(own: OwnObjects, { request, operation, creates }: ActiveWrite): ActiveDecision {
  if (own.isFull) return refused("the journal is full");
  if (
    !operation ||
    operation.facts.graphqlField ||
    operation.facts.soapOperation ||
    request.rawPath !== undefined
  )
    return refused("the operation is not known");
  const { pathname } = new URL(request.url);
  if (!parametersIn(pathname, operation.path).every((path) => own.paths.has(path)))
    return refused("the scan did not create the object in its path");
  const foreign = references(request).find((each) => !isOwn(own, each));
  if (foreign) return refused(`the scan did not create what ${foreign.name} refers to`);
  if (!mailsIn(request).every((mail) => mail.endsWith(".invalid")))
    return refused("it has an e-mail address that may exist");
  return request.form?.kind === "creation"
    ? decideCreation(own, { request, creates })
    : decideChange(own, { request, operation, creates });
}

function decideCreation(
  { marker }: OwnObjects,
  { request, creates }: Pick<ActiveWrite, "request" | "creates">,
): ActiveDecision {
  if (request.method !== "POST" || !creates) return refused("the operation is not known to create an object");
  return request.body?.includes(marker) ? "send" : refused("nothing in it marks the object as the scan's");
}

function decideChange(
  own: OwnObjects,
  { request, operation: { path: template, facts }, creates }: ActiveWrite & { operation: object },
): ActiveDecision {
  if (request.form?.kind !== "own-object") return refused("it does not change an object");
  const changesPassword = passwordChange(facts) !== undefined;
  const isChange = ["PUT", "PATCH", "DELETE"].includes(request.method);
  if (!isChange && !changesPassword && (creates || !isAction(facts)))
    return refused("it does not change an object");
  const isOwnAccount = (OWN_ACCOUNT.test(template) || changesPassword) && own.accounts.has(request.as ?? "");
  return template.includes("{") || isOwnAccount
    ? "send"
    : refused("it names no object that the scan created");
}

const refused = (reason: string): ActiveDecision => ({ refused: `Not sent: ${reason}` });

/** The account of the caller, whoever that is: `/users/me`, `/me/preferences`. */
export const OWN_ACCOUNT = /\/(me|self|myself|whoami|profile)(\/[^{}]*)?$/i;

/** The paths of the objects in a path: of `/a/1/b/2` for `/a/{x}/b/{y}` these are `/a/1` and `/a/1/b/2`. */
function parametersIn(pathname: string, template: string): string[] {
  const segments = pathname.split("/");
  const names = template.split("/");
  if (segments.length !== names.length) return [pathname];
  return names.flatMap((name, index) => (name.includes("{") ? [segments.slice(0, index + 1).join("/")] : []));
}

interface Reference {
  readonly name: string;
  readonly value: string;
  /** Path of the object that the request is for. */
  readonly pathname: string;
}

/** What a request refers to by an id or a name of somebody, outside its path. */
function references(request: ProbeRequest): Reference[] {
  const { pathname, searchParams } = new URL(request.url);
  const inHeaders = Object.entries(request.headers ?? {}).filter(
    ([name]) => !/^(accept|content-type)$/i.test(name),
  );
  return [...searchParams, ...inHeaders, ...leavesOf(request.body)]
    .filter(([name, value]) => value !== "" && isReference(name))
    .map(([name, value]) => ({ name, value, pathname }));
}

/** The texts and numbers in a body, by the name of their member; those of a list by the name of the list. */
function leavesOf(body: string | undefined): [string, string][] {
  if (body === undefined) return [];
  try {
    const nodes = [...walk(JSON.parse(body), { depth: 8, values: 2_000, items: 100 })];
    return nodes
      .filter(({ value }) => typeof value === "string" || typeof value === "number")
      .map(({ key, parent, value }) => [Array.isArray(parent?.value) ? parent.key : key, String(value)]);
  } catch {
    return [...new URLSearchParams(body)];
  }
}

/** The name of a member that identifies something, or somebody. */
export const isReference = (name: string): boolean =>
  ID.test(name) || ID_IN_CAMEL_CASE.test(name) || SOMEBODY.test(lettersOf(name));

const ID = /(^|[_-])(id|uuid|guid)s?$/i;
const ID_IN_CAMEL_CASE = /[a-z](Id|Ids|ID|IDs|Uuid|UUID|Guid)$/;
const SOMEBODY =
  /^(owners?|users?|accounts?|customers?|members?|recipients?|senders?|from|to|cc|bcc|assignees?|authors?|tenant|organi[sz]ation|parent)$/;

/** What a reference names is the resource before its suffix: `note` of `noteId`; somebody is always a user. */
function isOwn({ ids, paths, marker }: OwnObjects, { name, value, pathname }: Reference): boolean {
  if (value.includes(marker)) return true;
  const resource = lettersOf(name.replace(/[_-]?(id|uuid|guid)s?$/i, ""));
  if (resource === "") return paths.has(pathname) && pathname === `${parentOf(pathname)}/${value}`;
  return ids.get(SOMEBODY.test(resource) ? "user" : resource)?.has(value) === true;
}

const mailsIn = ({ url, body = "" }: ProbeRequest): string[] =>
  `${percentDecoded(new URL(url).search)} ${percentDecoded(body)}`.match(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g) ?? [];
