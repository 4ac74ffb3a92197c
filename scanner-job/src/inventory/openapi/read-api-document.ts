import type { ApiDocument } from "../api-document.ts";
import { FieldReader } from "./fields.ts";
import { callbacksOf, readOperations } from "./operations.ts";
import { member, textMember, type JsonObject } from "../../json.ts";
import { inspect, MAX_DEPTH, versionOf } from "./parse-text.ts";
import { SpecReader } from "./reader.ts";
import { SchemaExpander } from "./schema-expander.ts";
import { securitySchemes } from "./security.ts";
import { baseOf, possibleBases, serversOf } from "./servers.ts";

/** Where a document comes from, and the target it is to describe. */
export interface DocumentSource {
  /** Address of the document, or "the order". */
  readonly origin: string;
  readonly isPublic: boolean;
  readonly targetUrl: string;
}

/**
 * Reads a parsed document, tolerantly: what is invalid is noted and left out. Throws `UnusableDocument` when nothing can
 * be read.
 */
export function readApiDocument(root: JsonObject, source: DocumentSource): ApiDocument {
  const { addresses, tooDeep, externalReferences } = inspect(root);
  const { version, note } = versionOf(root);
  const reader = new SpecReader(root, version);
  if (note) reader.note(note);
  if (tooDeep) reader.note(`What is nested deeper than ${MAX_DEPTH} levels was left out`);
  if (externalReferences > 0)
    reader.note(`${externalReferences} references to other documents were not followed`);
  const servers = serversOf(reader, [], source);
  const operations = readOperations(
    { reader, schemas: new SchemaExpander(reader), fields: new FieldReader() },
    source,
  );
  if (!baseOf(servers, source.targetUrl).matches) {
    reader.note(
      "No server of the document is the target: its operations were called at the target all the same",
    );
  }
  if (operations.length === 0) reader.note("It describes no operation");
  return {
    origin: source.origin,
    isPublic: source.isPublic,
    version,
    title: textMember(member(root, "info"), "title") ?? "",
    operations,
    servers,
    possibleBases: possibleBases(reader, source),
    securitySchemes: securitySchemes(reader),
    addresses,
    callbacks: callbacksOf(reader),
    notes: reader.notes,
  };
}
