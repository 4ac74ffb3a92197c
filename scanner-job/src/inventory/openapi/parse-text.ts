import { constructFromEvents, EVENT_ALIAS, parseEvents, YAMLException } from "js-yaml";
import { isObject, type JsonObject } from "./json.ts";
import { UnusableDocument } from "./unusable.ts";

const MAX_ALIASES = 10_000;
const MAX_YAML_DEPTH = 100;

/** The document as plain data, from JSON or YAML 1.2. Throws `UnusableDocument` when it is neither, or no object. */
export function parseText(text: string): JsonObject {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (/^\s*</.test(source)) throw new UnusableDocument("It is HTML or XML, not JSON or YAML");
  const value = /^\s*[{[]/.test(source) ? parseJson(source) : parseYaml(source);
  if (!isObject(value)) throw new UnusableDocument("It is not an object");
  return value;
}

/** YAML may begin with a brace too: what is no JSON is tried as YAML. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return parseYaml(text);
  }
}

function parseYaml(text: string): unknown {
  try {
    const events = parseEvents(text, { maxDepth: MAX_YAML_DEPTH });
    const aliases = events.filter(({ type }) => type === EVENT_ALIAS).length;
    if (aliases > MAX_ALIASES) throw new UnusableDocument(`It has more than ${MAX_ALIASES} YAML aliases`);
    return constructFromEvents(events, { source: text, json: true })[0];
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    throw new UnusableDocument(`It is neither JSON nor YAML: ${error.reason.slice(0, 200)}`, {
      cause: error,
    });
  }
}
