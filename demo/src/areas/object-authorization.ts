import { type Row, shown } from "../clinic.ts";
import { anyone, orNotFound, owned, ownedBy } from "../rows.ts";
import { forbidden, notFound, objectIn, ok } from "../reply.ts";
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

/** Whose object it is: reading, changing and deleting what belongs to somebody else. */
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
      weak("bolaAuthorization", "The list gives every patient's id to anybody; ids are numbered"),
      weak("dataExposure", "Names, e-mail addresses and social security numbers are listed to anybody"),
    ],
    vulnerable: (_call, clinic) =>
      ok({ patients: clinic.patients }, { "cache-control": "public, max-age=600" }),
    hardened: (call, clinic) => ok({ patients: clinic.patients.filter(ownedBy(call)).map(patientShown) }),
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
      weak("bolaAuthorization", "Any patient is read by its id without credentials"),
      weak("propertyAuthorization", "The answer has `ssn`, which the document does not name"),
    ],
    vulnerable: (call, clinic) => orNotFound(anyone(clinic.patients, call)),
    hardened: (call, clinic) => {
      const own = owned(clinic.patients, call);
      return own ? ok(patientShown(own)) : notFound();
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
      weak("bolaAuthorization", "Anybody changes any patient"),
      weak(
        "propertyAuthorization",
        "Fields that the document calls read-only are kept as sent (mass assignment)",
      ),
    ],
    vulnerable: (call, clinic) => {
      const row = anyone(clinic.patients, call);
      return row ? ok(Object.assign(row, objectIn(call), { id: row.id })) : notFound();
    },
    hardened: (call, clinic) => {
      const own = owned(clinic.patients, call);
      return own ? ok(patientShown(Object.assign(own, { name: objectIn(call).name }))) : notFound();
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
    weaknesses: [weak("bolaAuthorization", "A document is read under any patient, whoever it belongs to")],
    vulnerable: (call, clinic) => orNotFound(anyone(clinic.documents, call, "documentId")),
    hardened: (call, clinic) => {
      const parent = owned(clinic.patients, call);
      const row = anyone(clinic.documents, call, "documentId");
      return parent && row?.owner === parent.owner ? ok(shown(row, ["id", "title", "text"])) : notFound();
    },
  },
  {
    method: "GET",
    path: "/v2/documents/{documentId}",
    access: "user",
    operation: { summary: "Read a document", tag: "Documents", parameters: [idIn("documentId")] },
    weaknesses: [
      weak("bolaAuthorization", "403 for a document that exists and 404 for others tells which exist"),
      weak("bolaAuthorization", "The same document is given when its id is written with `.json`"),
    ],
    vulnerable: (call, clinic) => {
      const [id = "", extension] = (call.params.documentId ?? "").split(".json");
      const row = clinic.documents.find((candidate) => String(candidate.id) === id);
      if (!row) return notFound();
      return extension === undefined ? forbidden() : ok(row);
    },
    hardened: (call, clinic) => {
      const own = owned(clinic.documents, call, "documentId");
      return own ? ok(shown(own, ["id", "title", "text"])) : notFound();
    },
  },
];

const patientShown = (row: Row) => shown(row, ["id", "name", "dateOfBirth"]);
