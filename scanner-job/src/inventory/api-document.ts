import { Worker } from "node:worker_threads";
import { MAX_SPEC_BYTES } from "@glovebox/contract";
import type { OperationFacts } from "./operation.ts";
import type { DocumentSource } from "./openapi/read-api-document.ts";

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
  /** Paths below which the operations may be, the likeliest first. */
  readonly possibleBases: readonly string[];
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
  /** Authentication schemes that the description names for the credential: `Token` of `Authorization: Token <key>`. */
  readonly authenticationSchemes?: readonly string[];
  readonly urls: readonly string[];
  readonly flows: readonly string[];
}

export type { DocumentSource } from "./openapi/read-api-document.ts";

/** The document as plain data, or a sentence for the report that explains why it is unusable. */
export type ReadResult = { readonly document: ApiDocument } | { readonly unusable: string };

export interface ReadLimits {
  readonly timeoutMs?: number;
  readonly maxBytes?: number;
  readonly heapMegabytes?: number;
}

/**
 * Reads an OpenAPI 2.0, 3.0, 3.1 or 3.2 document, JSON or YAML, in a separate thread that has little memory and little time.
 * Never throws.
 */
export function readDocument(
  text: string,
  source: DocumentSource,
  limits: ReadLimits = {},
): Promise<ReadResult> {
  // A copy that is all the bytes of its buffer, which goes over to the thread. An async function would keep the text meanwhile.
  return readInThread(new TextEncoder().encode(text), source, limits);
}

async function readInThread(
  bytes: Uint8Array<ArrayBuffer>,
  source: DocumentSource,
  { timeoutMs = 20_000, maxBytes = MAX_SPEC_BYTES, heapMegabytes = 80 }: ReadLimits,
): Promise<ReadResult> {
  if (bytes.length > maxBytes) return { unusable: `It is larger than ${maxBytes} bytes` };
  const worker = new Worker(WORKER, {
    workerData: { bytes, source },
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 4, stackSizeMb: 4 },
    env: {}, // and no execArgv: a thread with its own arguments escapes the permission model
  });
  try {
    return await resultOf(worker, timeoutMs);
  } finally {
    await worker.terminate();
  }
}

/** The worker's source; the build replaces it with the path of the bundled worker. */
const WORKER = new URL("./spec-worker.ts", import.meta.url);

function resultOf(worker: Worker, timeoutMs: number): Promise<ReadResult> {
  return new Promise((resolve) => {
    const timer = setTimeout(
      () => resolve({ unusable: `It took more than ${timeoutMs} ms to read` }),
      timeoutMs,
    );
    const settle = (result: ReadResult): void => {
      clearTimeout(timer);
      resolve(result);
    };
    worker.once("message", settle);
    worker.once("error", (error) => settle({ unusable: reasonOf(error) }));
    worker.once("exit", () => settle({ unusable: "It could not be read (the reader ended early)" }));
  });
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "ERR_WORKER_OUT_OF_MEMORY"
    ? "It takes too much memory to read"
    : `It could not be read${code ? ` (${code})` : ""}`;
}
