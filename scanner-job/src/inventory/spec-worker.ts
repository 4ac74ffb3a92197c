import { parentPort, workerData } from "node:worker_threads";
import { readApiDocument, type DocumentSource } from "./openapi/read-api-document.ts";
import { UnusableDocument, parseText } from "./openapi/parse-text.ts";

// Started by read-document.ts from source and from a bundle: it imports no workspace package by name.
const given = workerData as { bytes: Uint8Array | undefined; source: DocumentSource };

function result(): unknown {
  try {
    return { document: readApiDocument(parseText(takeText()), given.source) };
  } catch (error) {
    if (error instanceof UnusableDocument) return { unusable: error.message };
    // Stack overflows and the like: an error that a document causes must not be reported as an error of the scanner.
    return { unusable: `It could not be read (${error instanceof Error ? error.name : "unknown error"})` };
  }
}

/** The text, of which nothing else holds a copy: a large one is garbage once it is parsed. */
function takeText(): string {
  const { bytes } = given;
  given.bytes = undefined;
  return new TextDecoder().decode(bytes);
}

parentPort?.postMessage(result());
