import { type Row, shown } from "../clinic.ts";
import { empty, json, notFound, objectIn, ok } from "../reply.ts";
import { ID, type Route, type Schema, idIn, weak } from "../route.ts";
import { anyone } from "../rows.ts";

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

/** Which fields of an object: those shown, those asked for, those written. */
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
        "`passwordHash`, `ssn` and `apiToken` are shown, which the document does not name",
      ),
      weak("dataExposure", "Password hashes and tokens are listed to anybody"),
    ],
    vulnerable: (_call, clinic) => ok({ doctors: clinic.doctors.map(({ owner: _owner, ...row }) => row) }),
    hardened: (_call, clinic) => ok({ doctors: clinic.doctors.map(doctorShown) }),
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
        "`?fields=*`, `?expand=` and `?include=` add fields that stay hidden otherwise",
      ),
    ],
    vulnerable: (call, clinic) => {
      const row = anyone(clinic.doctors, call, "doctorId");
      if (!row) return notFound();
      const asked = ["fields", "expand", "include", "$select"]
        .map((name) => call.query.get(name) ?? "")
        .join(",");
      if (asked.includes("*") || asked.includes("all")) return ok(row);
      return ok(
        shown(row, ["id", "name", "specialty", ...asked.split(",").filter((key) => Object.hasOwn(row, key))]),
      );
    },
    hardened: (call, clinic) => {
      const row = anyone(clinic.doctors, call, "doctorId");
      return row ? ok(doctorShown(row)) : notFound();
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
      weak(
        "propertyAuthorization",
        "`?sort=passwordHash` orders by a field that is not shown, and so tells it",
      ),
    ],
    vulnerable: (call, clinic) =>
      ok({ branches: sorted(clinic.branches, hiddenField(call.query.get("sort"))) }),
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
      weak("propertyAuthorization", "Fields that the document forbids are accepted and given back"),
    ],
    vulnerable: (call) => json(201, { approved: false, ...objectIn(call) }),
    hardened: () => empty(202),
  },
];

const doctorShown = (row: Row) => shown(row, ["id", "name", "specialty"]);

/** The column behind a word, as a lax ORM finds it: `password` means `passwordHash`. */
function hiddenField(word: string | null): string {
  return word?.toLowerCase().startsWith("password") ? "passwordHash" : (word ?? "id");
}

function sorted(rows: Row[], key: string): unknown[] {
  const known = rows.every((row) => Object.hasOwn(row, key));
  const ordered = known ? [...rows].sort((a, b) => compare(a[key], b[key])) : rows;
  return ordered.map((row) => shown(row, ["id", "name", "city"]));
}

function compare(a: unknown, b: unknown): number {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
}
