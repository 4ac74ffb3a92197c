import type { SecurityScheme } from "../api-document.ts";
import type { OperationFacts } from "../operation.ts";
import { isObject, member, objectMember, optional, textMember, type JsonObject } from "../../json.ts";
import type { SpecReader } from "./reader.ts";

const MAX_SCHEMES = 50;
const FLOW_ADDRESSES = ["authorizationUrl", "tokenUrl", "refreshUrl", "deviceAuthorizationUrl"] as const;

/** What holds for the operation: its own `security`, or the document's. */
export function securityOf(reader: SpecReader, operation: JsonObject): OperationFacts["security"] {
  const alternatives = member(operation, "security") ?? member(reader.root, "security");
  if (!Array.isArray(alternatives)) return "undeclared";
  const open = alternatives.filter(
    (alternative) => isObject(alternative) && Object.keys(alternative).length === 0,
  );
  if (open.length === alternatives.length) return "none";
  return open.length > 0 ? "optional" : "required";
}

export function securitySchemes(reader: SpecReader): SecurityScheme[] {
  const declared =
    reader.version === "2.0"
      ? objectMember(reader.root, "securityDefinitions")
      : objectMember(member(reader.root, "components"), "securitySchemes");
  return Object.entries(declared)
    .slice(0, MAX_SCHEMES)
    .map(([name, raw]) => ({ name, scheme: reader.resolveObject(raw) }))
    .flatMap(({ name, scheme }) => (scheme ? [readScheme(name.slice(0, 200), scheme)] : []));
}

function readScheme(name: string, scheme: JsonObject): SecurityScheme {
  const type = textMember(scheme, "type") ?? "";
  const flows = Object.entries(objectMember(scheme, "flows"));
  const flow = textMember(scheme, "flow");
  const owners = [scheme, ...flows.map(([, value]) => value)];
  const addresses = owners.flatMap((owner) => FLOW_ADDRESSES.map((key) => textMember(owner, key, 2_000)));
  return {
    name,
    // OpenAPI 2.0 calls it "basic"; 3.x knows it as the HTTP scheme of that name.
    type: type === "basic" ? "http" : type,
    ...optional("scheme", type === "basic" ? "basic" : textMember(scheme, "scheme")),
    ...optional("in", textMember(scheme, "in")),
    ...optional("parameterName", textMember(scheme, "name")),
    ...optional("authenticationSchemes", schemesIn(textMember(scheme, "description", 2_000) ?? "")),
    urls: [textMember(scheme, "openIdConnectUrl", 2_000), ...addresses]
      .filter((url) => url !== undefined)
      .slice(0, 20),
    flows: [...flows.map(([key]) => key), ...(flow === undefined ? [] : [flow])].slice(0, 10),
  };
}

const MAX_NAMED = 3;

/** What a description puts before the credential: `Authorization: Token <key>`, the prefix "JWT", Bearer {token}. */
function schemesIn(description: string): readonly string[] | undefined {
  const names = [...description.matchAll(NAMED)].map(([, ...groups]) => groups.find(Boolean)!);
  return names.length === 0 ? undefined : [...new Set(names)].slice(0, MAX_NAMED);
}

const NAMED =
  /authorization:\s{0,3}["'`]?([a-z][\w-]{1,30})[ ]["'`<{[$\w]|prefix(?:ed)?(?: with| by| of)?:?\s{0,3}["'`]([a-z][\w-]{1,30})[ "'`]|["'`]?\b([a-z][\w-]{1,30}) [<{[$]/gi;
