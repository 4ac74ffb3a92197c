import { pick } from "../clinic.ts";
import { bearer, empty, json, notFound, objectIn, ok, unauthorized } from "../response.ts";
import { type Route, type Schema, idIn, weak } from "../route.ts";
import { findRow, orNotFound, findOwnRow } from "../rows.ts";

const RECORD_CHANGE: Schema = {
  type: "object",
  required: ["notes"],
  properties: { notes: { type: "string", maxLength: 500 } },
};

/** A path on which reading requires a token and writing does not. */
export const methodAuthorization: Route[] = [
  {
    method: "GET",
    path: "/v2/records/{recordId}",
    access: "user",
    operation: { summary: "Read a medical record", tag: "Records", parameters: [idIn("recordId")] },
    weaknesses: [],
    vulnerable: (call, clinic) =>
      clinic.accounts.some(({ token }) => token === bearer(call))
        ? orNotFound(findRow(clinic.records, call, "recordId"))
        : unauthorized(),
    hardened: (call, clinic) => {
      const own = findOwnRow(clinic.records, call, "recordId");
      return own ? ok(pick(own, ["id", "diagnosis", "notes"])) : notFound();
    },
  },
  recordWrite("PUT", "Reading a record requires a token, replacing it does not"),
  recordWrite("PATCH", "Reading a record requires a token, changing it does not"),
  {
    method: "DELETE",
    path: "/v2/records/{recordId}",
    access: "admin",
    operation: { summary: "Delete a medical record", tag: "Records", parameters: [idIn("recordId")] },
    weaknesses: [weak("bolaAuthorization", "Reading a record requires a token, deleting it does not")],
    vulnerable: (call, clinic) => {
      const row = findRow(clinic.records, call, "recordId");
      clinic.records = clinic.records.filter((candidate) => candidate !== row);
      return row ? empty(204) : notFound();
    },
    hardened: (call, clinic) => {
      const row = findRow(clinic.records, call, "recordId");
      clinic.records = clinic.records.filter((candidate) => candidate !== row);
      return row ? empty(204) : notFound();
    },
  },
];

function recordWrite(method: "PUT" | "PATCH", what: string): Route {
  return {
    method,
    path: "/v2/records/{recordId}",
    access: "user",
    operation: {
      summary: "Write a medical record",
      tag: "Records",
      parameters: [idIn("recordId")],
      body: RECORD_CHANGE,
    },
    weaknesses: [weak("bolaAuthorization", what)],
    vulnerable: (call, clinic) => {
      const { notes } = objectIn(call);
      if (typeof notes !== "string") return json(422, { error: "notes must be a string" });
      const row = findRow(clinic.records, call, "recordId");
      return row ? ok(Object.assign(row, { notes })) : notFound();
    },
    hardened: (call, clinic) => {
      const own = findOwnRow(clinic.records, call, "recordId");
      return own
        ? ok(pick(Object.assign(own, { notes: objectIn(call).notes }), ["id", "notes"]))
        : notFound();
    },
  };
}
