import { randomUUID } from "node:crypto";
import { attemptRequest } from "../inventory/credential-attempts.ts";
import type { Operation, OperationFacts } from "../inventory/operation.ts";
import { member } from "../json.ts";
import { ACCEPT_JSON, MALFORMED, type ProbeRequest } from "../transport/exchange.ts";
import { protocolEffect } from "./protocol.ts";

/**
 * The first write to an operation, instead of another: it has no parameter that may be left out, no member that the operation
 * requires, and a body of another type than it takes.
 */
export function carefulWrite(request: ProbeRequest, facts: OperationFacts | undefined): ProbeRequest {
  const { origin, pathname } = new URL(request.url);
  const mediaType = request.headers?.["content-type"] ?? facts?.body?.mediaType ?? "application/json";
  return {
    method: request.method,
    url: origin + pathname,
    headers: { accept: ACCEPT_JSON, "content-type": mediaType },
    body: bodyFor(mediaType, request, facts),
    form: MALFORMED,
  };
}

function bodyFor(mediaType: string, { body }: ProbeRequest, facts: OperationFacts | undefined): string {
  // The variables of GraphQL are what an operation of its requires.
  if (protocolEffect(body === undefined ? {} : { body }) === "writes")
    return JSON.stringify({ query: member(JSON.parse(body!), "query"), variables: {} });
  if (/json/i.test(mediaType)) return Array.isArray(facts?.body?.sample) ? "{}" : "[]";
  if (/xml/i.test(mediaType)) return "<glovebox/>";
  return /^text\//i.test(mediaType) ? "" : "glovebox";
}

/** Credentials of a user who cannot exist. */
export const wrongAttempt = (operation: Operation): ProbeRequest =>
  attemptRequest(operation, { user: `glovebox-${randomUUID()}`, password: randomUUID(), code: "000000" });
