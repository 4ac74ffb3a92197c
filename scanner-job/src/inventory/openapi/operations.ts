import { percentDecoded } from "../../names.ts";
import type { DocumentSource } from "../api-document.ts";
import type { Link, OperationFacts } from "../operation.ts";
import { readBody, readResponses, type Readers } from "./bodies.ts";
import {
  isObject,
  member,
  objectMember,
  optional,
  textMember,
  textsMember,
  type JsonObject,
} from "../../json.ts";
import { readParameters } from "./parameters.ts";
import { securityOf } from "./security.ts";
import { baseOf, serversOf } from "./servers.ts";
import { METHODS, type SpecReader } from "./reader.ts";

const MAX_OPERATIONS = 5_000;

interface Declared {
  readonly method: string;
  readonly path: string;
  readonly pathItem: JsonObject;
  readonly operation: JsonObject;
}

/** Every operation that can be read, at most `MAX_OPERATIONS`; the others are noted. */
export function readOperations(readers: Readers, source: DocumentSource): OperationFacts[] {
  const facts = new Map<string, OperationFacts>();
  let leftOut = 0;
  for (const declared of declaredOperations(readers)) {
    const name = `${declared.method.toUpperCase()} ${declared.path}`;
    if (facts.size >= MAX_OPERATIONS) leftOut += 1;
    else if (!facts.has(name)) readInto(facts, name, () => readOperation(readers, declared, source));
  }
  if (leftOut > 0)
    readers.reader.note(`${leftOut} operations beyond the first ${MAX_OPERATIONS} were left out`);
  return [...facts.values()];

  function readInto(into: Map<string, OperationFacts>, name: string, read: () => OperationFacts): void {
    try {
      into.set(name, read());
    } catch (error) {
      readers.reader.note(
        `${name.slice(0, 150)} was left out: ${error instanceof Error ? error.name : "invalid"}`,
      );
    }
  }
}

function* declaredOperations({ reader }: Readers): Generator<Declared> {
  for (const [key, raw] of Object.entries(objectMember(reader.root, "paths"))) {
    if (key.startsWith("x-")) continue;
    const pathItem = reader.resolveObject(raw);
    const path = pathTemplate(key);
    if (pathItem === undefined || path === undefined) {
      reader.note(`Path left out, it is not valid: ${key.slice(0, 150)}`);
      continue;
    }
    for (const method of METHODS) {
      const operation = member(pathItem, method);
      if (isObject(operation)) yield { method, path, pathItem, operation };
      else if (operation !== undefined)
        reader.note(`${method.toUpperCase()} ${path.slice(0, 150)} was left out: it is not an object`);
    }
  }
}

/** The path with a leading slash and without query or fragment; undefined when it cannot be part of an address. */
function pathTemplate(key: string): string | undefined {
  const path = key.split(/[?#]/)[0]!.trim();
  if (path === "" || path.length > 1_000 || /[\s\\]/.test(path) || path.includes("://")) return undefined;
  return `/${path.replace(/^\/+/, "")}`;
}

function readOperation(readers: Readers, declared: Declared, source: DocumentSource): OperationFacts {
  const { method, path, pathItem, operation } = declared;
  const servers = serversOf(readers.reader, [operation, pathItem], source);
  const summary = textMember(operation, "summary") ?? textMember(operation, "description");
  return {
    method: method.toUpperCase(),
    path,
    base: baseOf(servers, source.targetUrl).base,
    ...optional("operationId", textMember(operation, "operationId")),
    ...optional("summary", summary),
    tags: textsMember(operation, "tags", 10),
    deprecated: member(operation, "deprecated") === true,
    security: securityOf(readers.reader, operation),
    securityIsGlobal: member(operation, "security") === undefined,
    parameters: readParameters(readers, declared),
    ...optional("body", readBody(readers, declared)),
    responses: readResponses(readers, operation),
    links: readLinks(readers.reader, operation),
    source: "spec",
  };
}

const MAX_CALLBACKS = 100;

/** Names of the webhooks, and the address expressions of every operation's callbacks. */
export function callbacksOf(reader: SpecReader): string[] {
  const found = new Set(Object.keys(objectMember(reader.root, "webhooks")).slice(0, MAX_CALLBACKS));
  for (const raw of Object.values(objectMember(reader.root, "paths"))) {
    if (found.size >= MAX_CALLBACKS) break;
    for (const expression of expressionsOf(reader, raw)) found.add(expression);
  }
  return [...found].map((name) => name.slice(0, 500)).slice(0, MAX_CALLBACKS);
}

function expressionsOf(reader: SpecReader, pathItem: unknown): string[] {
  if (!isObject(pathItem)) return [];
  return METHODS.map((method) => objectMember(member(pathItem, method), "callbacks"))
    .flatMap((callbacks) => Object.values(callbacks).slice(0, 20))
    .flatMap((callback) => Object.keys(reader.resolveObject(callback) ?? {}).slice(0, 20))
    .filter((expression) => !expression.startsWith("x-"));
}

const MAX_LINKS = 20;

/** The links of an operation's successful responses. */
function readLinks(reader: SpecReader, operation: JsonObject): Link[] {
  return Object.entries(objectMember(operation, "responses"))
    .filter(([status]) => /^(2|default)/.test(status))
    .flatMap(([, raw]) => Object.values(objectMember(reader.resolveObject(raw), "links")))
    .slice(0, MAX_LINKS)
    .flatMap((raw) => {
      const link = reader.resolveObject(raw);
      const to =
        textMember(link, "operationId") ?? operationOf(textMember(link, "operationRef", 1_000) ?? "");
      const parameters = Object.entries(objectMember(link, "parameters"))
        .slice(0, MAX_LINKS)
        .filter((entry): entry is [string, string] => typeof entry[1] === "string");
      return to === undefined ? [] : [{ to, parameters: Object.fromEntries(parameters) }];
    });
}

/** `#/paths/~1users~1{id}/get` is `GET /users/{id}`. */
function operationOf(reference: string): string | undefined {
  const [, path, method] = /^#\/paths\/([^/]+)\/(\w+)$/.exec(reference) ?? [];
  if (path === undefined || method === undefined) return undefined;
  return `${method.toUpperCase()} ${percentDecoded(path).replaceAll("~1", "/").replaceAll("~0", "~")}`;
}
