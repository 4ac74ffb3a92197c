import { isObject, member, objectMember } from "./json.ts";
import { METHODS } from "./operations.ts";
import type { SpecReader } from "./reader.ts";

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
