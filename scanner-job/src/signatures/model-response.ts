import type { ProbeResponse } from "../transport/exchange.ts";
import { isSuccess } from "../oracles/classify.ts";

const MAX_LENGTH = 16_384;

/** The text of a language model in a response of any of the common APIs, streamed or not; undefined if there is none. */
export function modelResponse(response: ProbeResponse): string | undefined {
  if (!isSuccess(response)) return undefined;
  const text =
    response.mediaType === "text/event-stream"
      ? eventsIn(response.body).map(textIn).join("")
      : response.mediaType === "text/plain"
        ? response.body
        : textIn(response.json);
  return text.trim() === "" ? undefined : text.trim().slice(0, MAX_LENGTH);
}

/** The text of a response or of one event, in the formats of the large providers and the names that most others use. */
function textIn(json: unknown): string {
  for (const path of PATHS) {
    const value = path.reduce<unknown>(memberOf, json);
    if (typeof value === "string") return value;
  }
  return "";
}

const PATHS: readonly (readonly (string | number)[])[] = [
  ["choices", 0, "message", "content"],
  ["choices", 0, "delta", "content"],
  ["choices", 0, "text"],
  ["content", 0, "text"],
  ["delta", "text"],
  ["candidates", 0, "content", "parts", 0, "text"],
  ["output", 0, "content", 0, "text"],
  ["message", "content"],
  [0, "generated_text"],
  ...["response", "output_text", "generated_text", "completion", "answer", "reply", "output", "text"].map(
    (name) => [name],
  ),
];

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;

const MAX_EVENTS = 500;

/** The JSON of an event stream's `data` lines (HTML Standard, section 9.2); what is not JSON is left out. */
export function eventsIn(body: string): unknown[] {
  return body
    .split(/\r?\n/)
    .filter((line) => line.startsWith("data:"))
    .slice(0, MAX_EVENTS)
    .flatMap((line) => parsed(line.slice("data:".length)));
}

function parsed(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return []; // `[DONE]`, an event cut off, or plain text
  }
}
