import { type Row, pick } from "../clinic.ts";
import { findRow, orNotFound, findOwnRow, ownedBy } from "../rows.ts";
import { forbidden, notFound, objectIn, ok } from "../response.ts";
import { ID, type Route, type Schema, idIn, weak } from "../route.ts";

const NAME: Schema = { type: "string", maxLength: 80 };
const PATIENT: Schema = {
  type: "object",
  properties: {
    id: ID,
    name: NAME,
    dateOfBirth: { type: "string" },
    role: { type: "string", readOnly: true },
  },
};
const PATIENT_CHANGE: Schema = { type: "object", required: ["name"], properties: { name: NAME } };

/** Weaknesses of object-level authorization: access to objects of other accounts. */
export const objectAuthorization: Route[] = [
  {
    method: "GET",
    path: "/v2/patients",
    access: "user",
    operation: {
      summary: "List patients",
      tag: "Patients",
      responds: { type: "object", properties: { patients: { type: "array", items: PATIENT } } },
    },
    weaknesses: [
      weak(
        "bolaAuthorization",
        "The list returns every patient's id without credentials; ids are sequential",
      ),
      weak(
        "dataExposure",
        "Names, e-mail addresses and social security numbers are listed without credentials",
      ),
    ],
    vulnerable: (_call, clinic) =>
      ok({ patients: clinic.patients }, { "cache-control": "public, max-age=600" }),
    hardened: (call, clinic) => ok({ patients: clinic.patients.filter(ownedBy(call)).map(patientView) }),
  },
  {
    method: "GET",
    path: "/v2/patients/{patientId}",
    access: "user",
    operation: {
      summary: "Read a patient",
      tag: "Patients",
      parameters: [idIn("patientId")],
      responds: PATIENT,
    },
    weaknesses: [
      weak("bolaAuthorization", "Any patient can be read by id without credentials"),
      weak("propertyAuthorization", "The response contains `ssn`, which is not in the OpenAPI document"),
    ],
    vulnerable: (call, clinic) => orNotFound(findRow(clinic.patients, call)),
    hardened: (call, clinic) => {
      const own = findOwnRow(clinic.patients, call);
      return own ? ok(patientView(own)) : notFound();
    },
  },
  {
    method: "PATCH",
    path: "/v2/patients/{patientId}",
    access: "user",
    operation: {
      summary: "Change a patient",
      tag: "Patients",
      parameters: [idIn("patientId")],
      body: PATIENT_CHANGE,
      responds: PATIENT,
    },
    weaknesses: [
      weak("bolaAuthorization", "Any patient can be changed without credentials"),
      weak(
        "propertyAuthorization",
        "Mass assignment: fields that the OpenAPI document declares read-only are stored",
      ),
    ],
    vulnerable: (call, clinic) => {
      const row = findRow(clinic.patients, call);
      return row ? ok(Object.assign(row, objectIn(call), { id: row.id })) : notFound();
    },
    hardened: (call, clinic) => {
      const own = findOwnRow(clinic.patients, call);
      return own ? ok(patientView(Object.assign(own, { name: objectIn(call).name }))) : notFound();
    },
  },
  {
    method: "GET",
    path: "/v2/patients/{patientId}/documents/{documentId}",
    access: "user",
    operation: {
      summary: "Read a patient's document",
      tag: "Patients",
      parameters: [idIn("patientId"), idIn("documentId")],
    },
    weaknesses: [weak("bolaAuthorization", "A document can be read through the path of another patient")],
    vulnerable: (call, clinic) => orNotFound(findRow(clinic.documents, call, "documentId")),
    hardened: (call, clinic) => {
      const parent = findOwnRow(clinic.patients, call);
      const row = findRow(clinic.documents, call, "documentId");
      return parent && row?.owner === parent.owner ? ok(pick(row, ["id", "title", "text"])) : notFound();
    },
  },
  {
    method: "GET",
    path: "/v2/documents/{documentId}",
    access: "user",
    operation: { summary: "Read a document", tag: "Documents", parameters: [idIn("documentId")] },
    weaknesses: [
      weak("bolaAuthorization", "Object enumeration: 403 for documents that exist, 404 for others"),
      weak("bolaAuthorization", "The 403 is bypassed by appending `.json` to the id"),
    ],
    vulnerable: (call, clinic) => {
      const [id = "", extension] = (call.params.documentId ?? "").split(".json");
      const row = clinic.documents.find((candidate) => String(candidate.id) === id);
      if (!row) return notFound();
      return extension === undefined ? forbidden() : ok(row);
    },
    hardened: (call, clinic) => {
      const own = findOwnRow(clinic.documents, call, "documentId");
      return own ? ok(pick(own, ["id", "title", "text"])) : notFound();
    },
  },
];

const patientView = (row: Row) => pick(row, ["id", "name", "dateOfBirth"]);
