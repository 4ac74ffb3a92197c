import { isObject, walk, type JsonNode } from "../json.ts";
import type { OperationFacts } from "./operation.ts";
import type { ProbeResponse } from "../transport/exchange.ts";

/**
 * True where a read returns no data of the API: a document that describes it, a health endpoint or a static file. That it is
 * open says nothing of the operations behind it.
 */
export function isPeripheral(
  { base, path, parameters }: Pick<OperationFacts, "base" | "path" | "parameters">,
  response: ProbeResponse,
): boolean {
  if (parameters.some(({ in: node, required }) => node === "path" || required)) return false;
  if (STATIC.test(response.mediaType) || isDocument(response)) return true;
  const name = `${base}${path}`;
  return HEALTH.test(name) ? !holdsRecords(response.json) : FILE.test(name) || saysHealth(response);
}

const STATIC =
  /^(text\/(html|css|javascript|markdown)|application\/(javascript|wasm|pdf|manifest\+json)|(image|font|audio|video)\/.+)$/;
const FILE =
  /\/\.well-known\/|\/(robots|humans|security|llms)\.txt$|\/(sitemap|crossdomain)[^/]*\.xml$|\/favicon\b/i;
const HEALTH =
  /\/_?(health(z|check|[-_]check)?|live(z|ness)?|ready(z)?|readiness|ping|status|heartbeat|up|version|build-?info|metrics)$/i;

/** OpenAPI, Swagger or AsyncAPI, in JSON or YAML; a schema of GraphQL or a WSDL. */
const isDocument = ({ json, body }: ProbeResponse): boolean =>
  isObject(json)
    ? ["openapi", "swagger", "asyncapi"].some((name) => typeof json[name] === "string")
    : /^\s*(openapi|swagger|asyncapi):\s*["']?\d/m.test(body.slice(0, 2_000)) ||
      /<(?:\w+:)?definitions\b[^>]*\bwsdl\b/i.test(body.slice(0, 2_000));

const holdsRecords = (json: unknown): boolean =>
  [...walk(json, { depth: 4, values: 200 })].some(
    ({ value }) => Array.isArray(value) && value.some((item) => isObject(item) && "id" in item),
  );

/** Members of a health response at most; more is data. */
const MAX_MEMBERS = 40;

/**
 * By its content alone: a word such as `pong`, or an object of which a state is fine and each text is a state, a version, a
 * time or the name of what runs.
 */
function saysHealth({ json, body }: ProbeResponse): boolean {
  if (!isObject(json)) return body.length <= 64 && FINE.test(body.replaceAll(/["\s.!]/g, ""));
  const members = [...walk(json, { depth: 4, values: MAX_MEMBERS + 1 })];
  const isFine = ({ key, value }: JsonNode): boolean =>
    STATE.test(key) && (value === true || (typeof value === "string" && FINE.test(value)));
  const isBaseline = ({ key, value }: JsonNode): boolean =>
    !IDENTITY.test(key) &&
    (typeof value !== "string" || [FINE, MEASURE].some((form) => form.test(value)) || LABEL.test(key));
  return members.length <= MAX_MEMBERS && members.some(isFine) && members.every(isBaseline);
}

const STATE = /^(status|state|health|healthy|alive|live|ready|ok|up|message)$/i;
const FINE =
  /^(ok|okay|up|healthy|pass(ing)?|alive|live|ready|running|green|online|operational|available|pong|true|success|200)$/i;
const IDENTITY = /^_?id$|e-?mail|user|owner|token/i;
const LABEL =
  /^(service|name|app(lication)?|component|hostname|version|build|commit|release|environment|env|region)$/i;
/** A version, a number or a time. */
const MEASURE = /^v?\d[\d.:TZ+\-\s]*(ms|s|m|h|d|[kmg]i?b|[-+.][\w.]+)?$/i;
