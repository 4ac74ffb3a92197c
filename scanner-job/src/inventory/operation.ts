import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { Location } from "@glovebox/contract";
import { ACCEPT_JSON, type ProbeRequest, type WriteForm } from "../transport/exchange.ts";
import { defaultForm } from "./effects.ts";
import { pointerTo } from "../json.ts";
import { encodeBody, type EncodedBody } from "./body-encoding.ts";
import { asText, headerTextOf, pairsOf, pathTextOf, type Serialization } from "./serialization.ts";

export interface Parameter {
  readonly name: string;
  /**
   * `graphql` is an argument of a GraphQL query: `user.id` is `id` of the field `user`, sent as the variable `id`.
   * `body` is a member of the body, named by its dotted path; only insertion points are such.
   */
  readonly in: "path" | "query" | "header" | "cookie" | "graphql" | "body";
  readonly required: boolean;
  /** JSON Schema type; "string" when the document declares none. */
  readonly type: "string" | "integer" | "number" | "boolean" | "array" | "object";
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  /** A value that the document allows, as text. */
  readonly sample: string;
  /** True when the document itself gives the sample (example, default, enum). */
  readonly sampleIsDeclared: boolean;
  /** The sample of a list or an object, to be written in the style; without one it is written as JSON. */
  readonly value?: unknown;
  readonly style?: Serialization["style"];
  readonly explode?: boolean;
}

/** A field of a body schema; `path` is dotted, `[]` for array items: `items[].owner.email`. */
export interface Field {
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly readOnly: boolean;
  readonly required: boolean;
}

export interface BodyShape {
  readonly mediaType: string;
  readonly required: boolean;
  /** A body that the document allows, as JSON value. */
  readonly sample: unknown;
  /** Others that it allows: further examples, and other alternatives of the schema. */
  readonly otherSamples?: readonly unknown[];
  readonly fields: readonly Field[];
  /** True when the schema forbids undeclared properties. */
  readonly closed: boolean;
  /** Names in XML, where the body is XML; `members` by dotted path. */
  readonly xml?: {
    readonly root: string;
    readonly members: Readonly<Record<string, { name?: string; attribute?: true; wrapped?: true }>>;
  };
}

export interface ResponseShape {
  /** As in the document: "200", "4XX", "default". */
  readonly status: string;
  readonly mediaType?: string;
  readonly fields: readonly Field[];
}

/** What is known of an operation; plain data, so that it can come out of the parsing worker. */
export interface OperationFacts {
  readonly method: string;
  /** Path template as it is shown, below `base`: `/users/{id}`. */
  readonly path: string;
  /** Path of the server below the origin, without a trailing slash: `` or `/api`. */
  readonly base: string;
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** The declared security of the operation; `undeclared` where the document declares none. */
  readonly security: "required" | "optional" | "none" | "undeclared";
  /** True where `security` is the whole document's, and not declared by the operation itself. */
  readonly securityIsGlobal?: boolean;
  readonly parameters: readonly Parameter[];
  readonly body?: BodyShape;
  readonly responses: readonly ResponseShape[];
  /** The OpenAPI links of the operation's response. */
  readonly links?: readonly Link[];
  /** The field of the query type that it reads, or of the mutation type; only of GraphQL, whose queries share one path. */
  readonly graphqlField?: string;
  readonly graphqlMutation?: true;
  /** The operation of a SOAP service, whose operations share one path. */
  readonly soapOperation?: string;
  readonly source: "spec" | "discovered";
}

export type KnownFacts = Pick<OperationFacts, "method" | "path"> & Partial<OperationFacts>;

/** An operation that no document declares: what is known of it, and of all else nothing. */
export const discoveredOperation = (known: KnownFacts): OperationFacts => ({
  base: "",
  tags: [],
  deprecated: false,
  security: "undeclared",
  parameters: [],
  responses: [],
  source: "discovered",
  ...known,
});

/** A link of OpenAPI: what a response holds for another operation. */
export interface Link {
  /** Its operationId, or its method and path: `GET /users/{id}`. */
  readonly to: string;
  /** Runtime expressions by the names of its parameters. */
  readonly parameters: Readonly<Record<string, string>>;
}

export interface RequestChanges {
  readonly method?: string;
  readonly path?: Readonly<Record<string, string>>;
  /** null leaves a parameter out. */
  readonly query?: Readonly<Record<string, string | null>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** A value that is written in the media type of the operation's body, instead of `body`. */
  readonly content?: unknown;
  /** `all` also sends the optional parameters. */
  readonly parameters?: "required" | "all";
  /** What is sent, where the method may write. */
  readonly form?: WriteForm;
}

/** An operation of the target: what is known of it, and how to call it. */
export class Operation {
  readonly facts: OperationFacts;
  readonly location: Location;
  readonly #origin: string;

  constructor(origin: string, facts: OperationFacts) {
    this.#origin = origin;
    this.facts = facts;
    const parameter = facts.graphqlField ?? facts.soapOperation;
    this.location = {
      method: facts.method,
      path: facts.base + facts.path,
      ...(parameter !== undefined && { parameter }),
    };
  }

  get operation(): this {
    return this;
  }

  /** JSON pointer to the operation in the document. */
  get pointer(): string {
    const { path, method } = this.facts;
    return pointerTo("paths", path, method.toLowerCase());
  }

  /** What may be called as it is: a read, or a POST that by its name only reads or signs in. */
  get isRead(): boolean {
    return (
      this.facts.method === "GET" || this.facts.method === "HEAD" || defaultForm(this.facts) !== undefined
    );
  }

  /** The last path parameter, when the path ends in it: what names the object. */
  get idParameter(): Parameter | undefined {
    const name = /\{([^{}]+)\}[^/{}]*\/?$/.exec(this.facts.path)?.[1];
    return name === undefined ? undefined : this.parameter("path", name);
  }

  parameter(location: Parameter["in"], name: string): Parameter | undefined {
    return this.facts.parameters.find((parameter) => parameter.in === location && parameter.name === name);
  }

  /**
   * A request as the document describes it, with the given changes; only the required parameters by default. It has a
   * body where one is given, or where the operation reads by POST.
   */
  request(changes: RequestChanges = {}): ProbeRequest {
    const method = changes.method ?? this.facts.method;
    const sent = this.facts.parameters.filter(({ required }) => required || changes.parameters === "all");
    const ofDefault = method === this.facts.method ? defaultForm(this.facts) : undefined;
    const defaults = ofDefault ? { content: this.facts.body?.sample, form: ofDefault } : {};
    const { form, ...body } = { ...defaults, ...changes };
    const encoded = this.#body(body);
    const headers = { accept: ACCEPT_JSON, ...headersOf(sent), ...changes.headers };
    return {
      method,
      url:
        this.#origin +
        this.facts.base +
        this.#filledPath(changes.path ?? {}) +
        queryOf(sent, changes.query ?? {}),
      headers: encoded ? { "content-type": encoded.contentType, ...headers } : headers,
      ...(encoded ? { body: encoded.body } : {}),
      ...(form === undefined ? {} : { form }),
    };
  }

  /** The same request for an object that cannot exist. */
  requestForNoObject(changes: RequestChanges = {}): ProbeRequest {
    const { idParameter } = this;
    const path = idParameter ? { [idParameter.name]: impossibleId(idParameter) } : {};
    return this.request({ ...changes, path: { ...path, ...changes.path } });
  }

  #body({ body, content }: RequestChanges): EncodedBody | undefined {
    if (body !== undefined) return { contentType: "application/json", body };
    if (content === undefined) return undefined;
    return encodeBody(this.facts.body ?? { mediaType: "application/json", fields: [] }, content);
  }

  #filledPath(values: Readonly<Record<string, string>>): string {
    return this.facts.path.replace(/\{([^{}]+)\}/g, (_, name: string) => {
      const value = values[name];
      const parameter = this.parameter("path", name);
      if (value !== undefined || !parameter) return encodeURIComponent(value ?? "1");
      return pathTextOf({ name, ...styleOf(parameter) }, parameter.value ?? parameter.sample);
    });
  }
}

const styleOf = ({ in: location, style, explode = false }: Parameter): Serialization => ({
  style: style ?? (location === "query" || location === "cookie" ? "form" : "simple"),
  explode,
});

/** Without a style a list or an object is JSON. */
const valueOf = ({ value, style, sample }: Parameter): unknown => {
  if (value === undefined) return sample;
  return style === undefined ? asText(value) : value;
};

function headersOf(parameters: readonly Parameter[]): Record<string, string> {
  const headers = parameters
    .filter((parameter) => parameter.in === "header")
    .map((parameter): [string, string] => [
      parameter.name.toLowerCase(),
      headerTextOf(styleOf(parameter), valueOf(parameter)).replace(/[^\t\x20-\x7e\x80-\xff]/g, " "),
    ]);
  const cookies = parameters
    .filter((parameter) => parameter.in === "cookie")
    .flatMap((parameter) => pairsOf({ name: parameter.name, ...styleOf(parameter) }, valueOf(parameter)))
    .map(([name, text]) => `${name}=${encodeURIComponent(text)}`);
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 ? { cookie: cookies.join("; ") } : {}) };
}

function queryOf(parameters: readonly Parameter[], values: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    if (parameter.in !== "query" || parameter.name in values) continue;
    for (const [name, text] of pairsOf({ name: parameter.name, ...styleOf(parameter) }, valueOf(parameter)))
      query.append(name, text);
  }
  for (const [name, value] of Object.entries(values)) if (value !== null) query.append(name, value);
  const text = query.toString();
  return text && `?${text}`;
}

/** An id of the parameter's type that no object has. */
export function impossibleId({ type, format }: Pick<Parameter, "type" | "format">): string {
  if (format === "uuid") return randomUUID();
  // Below 2^31, so that a 32-bit column does not overflow and fail for another reason.
  if (type === "integer" || type === "number") return String(randomInt(2_000_000_000, 2_147_483_647));
  return `none-${randomBytes(9).toString("hex")}`;
}
