import { isObject, member } from "../json.ts";
import { eventsIn } from "../signatures/model-response.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";

/** Whether a request of GraphQL or JSON-RPC reads or may write, by the rules of the protocol; undefined for all others. */
export function protocolEffect({ body }: Pick<ProbeRequest, "body">): "reads" | "writes" | undefined {
  const messages = messagesOf(body);
  const effects = messages.map(effectOf);
  if (effects.length === 0 || effects.includes(undefined)) return undefined;
  return effects.includes("writes") ? "writes" : "reads";
}

/** True for a response in the form of either protocol. */
export const speaksProtocol = (response: ProbeResponse): boolean => resultsOf(response).some(isResult);

/** The values that the fields of a GraphQL response, or the results of JSON-RPC, have. */
export const resultsOf = (response: ProbeResponse): readonly unknown[] => {
  const { json, mediaType, body } = response;
  if (mediaType === "text/event-stream") return eventsIn(body);
  return Array.isArray(json) ? json.slice(0, 100) : [json];
};

/** A message of JSON-RPC that has a method is the request itself, which came back. */
const isResult = (result: unknown): boolean =>
  isObject(result) &&
  (member(result, "jsonrpc") === "2.0"
    ? ("result" in result || "error" in result) && !("method" in result)
    : isErrorList(result) ||
      (isObject(member(result, "data")) && !("query" in Object(member(result, "data")))));

/** GraphQL, section 7.1: a response that was refused has a list of errors, each with its message. */
function isErrorList(result: unknown): boolean {
  const errors = member(result, "errors");
  return Array.isArray(errors) && errors.length > 0 && errors.every((error) => "message" in Object(error));
}

function messagesOf(body: string | undefined): readonly unknown[] {
  if (body === undefined || !/^\s*[[{]/.test(body)) return [];
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}

function effectOf(message: unknown): "reads" | "writes" | undefined {
  const [query, method] = [member(message, "query"), member(message, "method")];
  if (member(message, "jsonrpc") === "2.0" && typeof method === "string")
    return READS.test(method) ? "reads" : "writes";
  if (typeof query !== "string" || !DOCUMENT.test(query)) return undefined;
  return WRITES.test(query.replace(TEXTS, '""')) ? "writes" : "reads";
}

/** Of the Model Context Protocol: nothing is called. */
const READS = /^(initialize|ping|notifications\/initialized|(tools|prompts|resources(\/templates)?)\/list)$/;
/** An executable document of GraphQL has a selection in braces. */
const DOCUMENT = /\{[^]*\}/;
const TEXTS = /"""[^]*?"""|"(?:\\.|[^"\\\n])*"|#[^\n]*/g;
const WRITES = /(^|[\s}])(mutation|subscription)\b/;
