import { type Row, pick } from "../clinic.ts";
import { empty, json, notFound, objectIn, ok } from "../response.ts";
import { ID, type Route, type Schema, idIn, weak } from "../route.ts";
import { findRow } from "../rows.ts";

const TEXT: Schema = { type: "string" };
const DOCTOR: Schema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "name", "specialty"],
  properties: { id: ID, name: TEXT, specialty: TEXT },
};
const BRANCH: Schema = {
  type: "object",
  additionalProperties: false,
  properties: { id: ID, name: TEXT, city: TEXT },
};

/** Weaknesses of property-level authorization: fields that are returned, requested and written. */
export const propertyAuthorization: Route[] = [
  {
    method: "GET",
    path: "/v2/doctors",
    access: "public",
    operation: {
      summary: "List doctors",
      tag: "Catalogue",
      responds: { type: "object", properties: { doctors: { type: "array", items: DOCTOR } } },
    },
    weaknesses: [
      weak(
        "propertyAuthorization",
        "The response contains `passwordHash`, `ssn` and `apiToken`, which are not in the OpenAPI document",
      ),
      weak("dataExposure", "Password hashes and tokens are listed without credentials"),
    ],
    vulnerable: (_call, clinic) => ok({ doctors: clinic.doctors.map(({ owner: _owner, ...row }) => row) }),
    hardened: (_call, clinic) => ok({ doctors: clinic.doctors.map(doctorView) }),
  },
  {
    method: "GET",
    path: "/v2/doctors/{doctorId}",
    access: "public",
    operation: {
      summary: "Read a doctor's profile",
      tag: "Catalogue",
      parameters: [idIn("doctorId")],
      responds: DOCTOR,
    },
    weaknesses: [
      weak(
        "propertyAuthorization",
        "`?fields=*`, `?expand=` and `?include=` return fields that are hidden by default",
      ),
    ],
    vulnerable: (call, clinic) => {
      const row = findRow(clinic.doctors, call, "doctorId");
      if (!row) return notFound();
      const requested = ["fields", "expand", "include", "$select"]
        .map((name) => call.query.get(name) ?? "")
        .join(",");
      if (requested.includes("*") || requested.includes("all")) return ok(row);
      return ok(
        pick(row, [
          "id",
          "name",
          "specialty",
          ...requested.split(",").filter((key) => Object.hasOwn(row, key)),
        ]),
      );
    },
    hardened: (call, clinic) => {
      const row = findRow(clinic.doctors, call, "doctorId");
      return row ? ok(doctorView(row)) : notFound();
    },
  },
  {
    method: "GET",
    path: "/v2/branches",
    access: "public",
    operation: {
      summary: "List branches",
      tag: "Catalogue",
      parameters: [
        { name: "sort", in: "query", schema: { type: "string", enum: ["name", "city"] }, example: "name" },
      ],
      responds: { type: "object", properties: { branches: { type: "array", items: BRANCH } } },
    },
    weaknesses: [
      weak("propertyAuthorization", "`?sort=passwordHash` sorts by a hidden field, which reveals its order"),
    ],
    vulnerable: (call, clinic) =>
      ok({ branches: sorted(clinic.branches, sortField(call.query.get("sort"))) }),
    hardened: (call, clinic) => ok({ branches: sorted(clinic.branches, call.query.get("sort") ?? "name") }),
  },
  {
    method: "POST",
    path: "/v2/feedback",
    access: "public",
    operation: {
      summary: "Send feedback",
      tag: "Feedback",
      body: {
        type: "object",
        additionalProperties: false,
        required: ["message"],
        properties: { message: { type: "string", maxLength: 500 } },
      },
    },
    weaknesses: [
      weak("propertyAuthorization", "Fields that the OpenAPI document forbids are accepted and returned"),
    ],
    vulnerable: (call) => json(201, { approved: false, ...objectIn(call) }),
    hardened: () => empty(202),
  },
];

const doctorView = (row: Row) => pick(row, ["id", "name", "specialty"]);

/** The field that a lax ORM would find for a parameter: `passwordHash` for `password`. */
function sortField(word: string | null): string {
  return word?.toLowerCase().startsWith("password") ? "passwordHash" : (word ?? "id");
}

function sorted(rows: Row[], key: string): unknown[] {
  const known = rows.every((row) => Object.hasOwn(row, key));
  const ordered = known ? [...rows].sort((a, b) => compare(a[key], b[key])) : rows;
  return ordered.map((row) => pick(row, ["id", "name", "city"]));
}

function compare(a: unknown, b: unknown): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}
