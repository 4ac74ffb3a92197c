import { parentPort, workerData } from "node:worker_threads";
import { readApiDocument, type DocumentSource } from "./openapi/read-api-document.ts";
import { UnusableDocument } from "./openapi/parse-text.ts";

// Started by read-document.ts from source and from a bundle: it imports no workspace package by name.
const { text, source } = workerData as { text: string; source: DocumentSource };

function answer(): unknown {
  try {
    return { document: readApiDocument(text, source) };
  } catch (error) {
    if (error instanceof UnusableDocument) return { unusable: error.message };
    // Stack overflows and the like: what a document provokes must not look like a fault of the scan.
    return { unusable: `It could not be read (${error instanceof Error ? error.name : "unknown error"})` };
  }
}

parentPort?.postMessage(answer());
