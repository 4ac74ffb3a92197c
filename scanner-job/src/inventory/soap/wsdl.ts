import {
  discoveredOperation,
  type BodyShape,
  type Field,
  type OperationFacts,
  type Parameter,
} from "../operation.ts";
import { valueFor } from "../openapi/values.ts";
import { xmlElements, type XmlElement } from "./xml-elements.ts";

const MAX_OPERATIONS = 100;
const ENVELOPE = "http://schemas.xmlsoap.org/soap/envelope/";

/**
 * The operations of a service description (WSDL 1.1) at this address, each with an envelope (SOAP 1.1) as its body; `[]` where
 * the text is none. They are called at the service's address where that is on the target, or else where the description is.
 */
export function soapOperations(text: string, at: URL): OperationFacts[] {
  const wsdl = xmlElements(text);
  if (wsdl?.name !== "definitions") return [];
  const found = new Map<string, OperationFacts>();
  for (const port of within(wsdl, "service", "port")) {
    const binding = named(wsdl, "binding", port.attributes["binding"]);
    const portType = named(wsdl, "portType", binding?.attributes["type"]);
    const path = pathOf(within(port, "address")[0]?.attributes["location"], at);
    for (const operation of within(portType, "operation").slice(0, MAX_OPERATIONS)) {
      const name = operation.attributes["name"] ?? "";
      if (!NAME.test(name) || found.has(name)) continue;
      const bound = within(binding, "operation").find((each) => each.attributes["name"] === name);
      found.set(name, factsOf({ wsdl, name, path, operation, bound }));
    }
  }
  return [...found.values()].slice(0, MAX_OPERATIONS);
}

/** Without a dot, which separates the members of a body. */
const NAME = /^[A-Za-z_][\w-]{0,99}$/;

interface Described {
  readonly wsdl: XmlElement;
  readonly name: string;
  readonly path: string;
  /** Of the port type: its messages. */
  readonly operation: XmlElement;
  /** Of the binding: its action. */
  readonly bound: XmlElement | undefined;
}

function factsOf({ wsdl, name, path, operation, bound }: Described): OperationFacts {
  const action = within(bound, "operation")[0]?.attributes["soapAction"] ?? "";
  const message = named(wsdl, "message", within(operation, "input")[0]?.attributes["message"]);
  return discoveredOperation({
    method: "POST",
    path,
    operationId: name,
    parameters: [{ ...ACTION, sample: `"${action.replace(/["\r\n]/g, "")}"` }],
    body: envelope(wsdl, { name, parts: within(message, "part") }),
    soapOperation: name,
  });
}

const ACTION: Omit<Parameter, "sample"> = {
  name: "SOAPAction",
  in: "header",
  required: true,
  type: "string",
  sampleIsDeclared: true,
};

/** One wrapper in the body: the element of the message (document style), or the operation with the parts of its message (RPC). */
function envelope(
  wsdl: XmlElement,
  { name, parts }: { name: string; parts: readonly XmlElement[] },
): BodyShape {
  const element = parts[0]?.attributes["element"];
  const schema = within(wsdl, "types", "schema").find((each) => named(each, "element", element));
  const declared = schema && named(schema, "element", element);
  const wrapper = declared?.attributes["name"] ?? name;
  const leaves = (declared ? elementsOf(schema, declared) : parts).filter((leaf) =>
    NAME.test(leaf.attributes["name"] ?? ""),
  );
  const isQualified = schema?.attributes["elementFormDefault"] === "qualified";
  const xmlns = isQualified ? "xmlns" : "xmlns:m";
  const namespace = (schema ?? wsdl).attributes["targetNamespace"] ?? "";
  const fields = leaves.map((leaf) => fieldOf(leaf, `Body.${wrapper}`));
  const values = fields.map(({ name: key, type }) => [key, valueFor({ type }, key)]);
  return {
    mediaType: "text/xml; charset=utf-8",
    required: true,
    sample: {
      "xmlns:soap": ENVELOPE,
      Body: { [wrapper]: { [xmlns]: namespace, ...(Object.fromEntries(values) as object) } },
    },
    fields,
    closed: true,
    xml: {
      root: "soap:Envelope",
      members: {
        "xmlns:soap": { attribute: true },
        Body: { name: "soap:Body" },
        [`Body.${wrapper}`]: { name: isQualified ? wrapper : `m:${wrapper}` },
        [`Body.${wrapper}.${xmlns}`]: { attribute: true },
      },
    },
  };
}

/** The elements of an element: in its own type, or in the one that it names. */
function elementsOf(schema: XmlElement | undefined, element: XmlElement): readonly XmlElement[] {
  const type = within(element, "complexType")[0] ?? named(schema, "complexType", element.attributes["type"]);
  return [...within(type, "sequence", "element"), ...within(type, "all", "element")].slice(0, 30);
}

type Scalar = "string" | "integer" | "number" | "boolean";

function fieldOf({ attributes }: XmlElement, above: string): Field {
  const name = attributes["name"]!;
  return {
    path: `${above}.${name}`,
    name,
    type: TYPES[localOf(attributes["type"] ?? "")] ?? "string",
    readOnly: false,
    required: attributes["minOccurs"] !== "0",
  };
}

/** Of XML Schema, part 2. */
const TYPES: Readonly<Record<string, Scalar>> = {
  ...Object.fromEntries(
    ["int", "integer", "long", "short", "byte", "unsignedInt", "positiveInteger", "nonNegativeInteger"].map(
      (name) => [name, "integer"],
    ),
  ),
  ...{ decimal: "number", double: "number", float: "number", boolean: "boolean" },
};

const within = (element: XmlElement | undefined, ...path: readonly string[]): readonly XmlElement[] =>
  path.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    element ? [element] : [],
  );

const named = (
  element: XmlElement | undefined,
  kind: string,
  name: string | undefined,
): XmlElement | undefined =>
  name === undefined
    ? undefined
    : within(element, kind).find(({ attributes }) => attributes["name"] === localOf(name));

const localOf = (name: string): string => name.slice(name.indexOf(":") + 1);

function pathOf(location: string | undefined, at: URL): string {
  const url = location === undefined ? null : URL.parse(location, at.href);
  return url?.hostname === at.hostname && url.pathname.length < 500 ? url.pathname : at.pathname;
}
