import type { OperationFacts } from "./operation.ts";

/** What the scan keeps of an OpenAPI or Swagger document; plain data, made in the parsing worker. */
export interface ApiDocument {
  /** Where it came from: its address, or "the order". */
  readonly origin: string;
  /** True when the target serves it to anyone (found by discovery, or specUrl on the target's own origin). */
  readonly isPublic: boolean;
  readonly version: "2.0" | "3.0" | "3.1" | "3.2";
  readonly title: string;
  readonly operations: readonly OperationFacts[];
  readonly servers: readonly string[];
  readonly securitySchemes: readonly SecurityScheme[];
  /** Every absolute http(s) or ws(s) address in the document, with the JSON pointer of where it stands. */
  readonly addresses: readonly { readonly pointer: string; readonly url: string }[];
  /** Paths of declared webhooks and callbacks. */
  readonly callbacks: readonly string[];
  /** What was left out or repaired, for the reader of the report. */
  readonly notes: readonly string[];
}

export interface SecurityScheme {
  readonly name: string;
  readonly type: string;
  readonly scheme?: string;
  readonly in?: string;
  readonly parameterName?: string;
  readonly urls: readonly string[];
  readonly flows: readonly string[];
}
