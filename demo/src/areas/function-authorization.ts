import { pick } from "../clinic.ts";
import { bearer, forbidden, json, notFound, objectIn, ok, unauthorized } from "../response.ts";
import { type Call, type Route, idIn, weak } from "../route.ts";
import { findRow, findOwnRow } from "../rows.ts";

const STAFF = [
  { id: "s-1", name: "Ines Lund", rota: "Mon-Thu" },
  { id: "s-2", name: "Omar Haddad", rota: "Tue-Fri" },
];
const AUDIT = [{ at: "2026-11-02T08:12:00Z", actor: "root@larkfield.test", action: "export" }];

/** Weaknesses of function-level authorization: administration, undocumented methods, and bypasses of 401 and 403. */
export const functionAuthorization: Route[] = [
  {
    method: "GET",
    path: "/v2/admin/users",
    access: "admin",
    operation: { summary: "List all accounts", tag: "Administration" },
    weaknesses: [weak("bflaAuthorization", "An administrative operation requires no credentials")],
    vulnerable: (_call, clinic) =>
      ok({ users: clinic.accounts.map(({ id, email, role }) => ({ id, email, role })) }),
    hardened: (_call, clinic) =>
      ok({ users: clinic.accounts.map(({ id, email, role }) => ({ id, email, role })) }),
  },
  {
    method: "GET",
    path: "/v2/admin/audit",
    access: "admin",
    operation: { summary: "Read the audit trail", tag: "Administration" },
    weaknesses: [
      weak(
        "bflaAuthorization",
        "The 401 is bypassed with the path in the `X-Original-URL` header of another request",
      ),
      weak("bflaAuthorization", "The 401 is bypassed with `X-Forwarded-For: 127.0.0.1`"),
    ],
    vulnerable: (call) =>
      call.path.startsWith("/v2/admin/") && !claimsLoopback(call) ? unauthorized() : ok({ audit: AUDIT }),
    hardened: () => ok({ audit: AUDIT }),
  },
  {
    method: "GET",
    path: "/v2/admin/settings",
    access: "admin",
    operation: { summary: "Read the settings", tag: "Administration" },
    weaknesses: [weak("bflaAuthorization", "The 403 is bypassed with `X-Role: admin` or `?admin=true`")],
    vulnerable: (call) =>
      call.headers["x-role"] === "admin" || call.query.get("admin") === "true"
        ? ok({ currency: "GBP", smtpHost: "mail.larkfield.test", featureFlags: ["assistant"] })
        : forbidden(),
    hardened: () => ok({ currency: "GBP", featureFlags: ["assistant"] }),
  },
  {
    method: "GET",
    path: "/v2/invoices/{invoiceId}",
    access: "user",
    operation: { summary: "Read an invoice", tag: "Invoices", parameters: [idIn("invoiceId")] },
    weaknesses: [weak("bflaAuthorization", "`X-HTTP-Method-Override` replaces the method of a request")],
    vulnerable: (call) => (bearer(call) ? notFound() : unauthorized()),
    hardened: (call, clinic) => {
      const own = findOwnRow(clinic.invoices, call, "invoiceId");
      return own ? ok(pick(own, ["id", "amount", "paid"])) : notFound();
    },
  },
  {
    method: "DELETE",
    path: "/v2/invoices/{invoiceId}",
    access: "admin",
    weaknesses: [weak("bflaAuthorization", "An undocumented DELETE, which `Allow` lists, requires no token")],
    vulnerable: (call, clinic) => {
      const row = findRow(clinic.invoices, call, "invoiceId");
      if (!row) return json(404, { error: `Invoice ${call.params.invoiceId} does not exist` });
      clinic.invoices = clinic.invoices.filter((candidate) => candidate !== row);
      return ok({ deleted: row.id });
    },
  },
  {
    method: "GET",
    path: "/v2/staff",
    access: "user",
    operation: { summary: "List staff", tag: "Staff" },
    weaknesses: [],
    vulnerable: (call, clinic) =>
      clinic.accounts.some(({ token }) => token === bearer(call)) ? ok({ staff: STAFF }) : unauthorized(),
    hardened: () => ok({ staff: STAFF }),
  },
  {
    method: "POST",
    path: "/v2/appointments",
    access: "user",
    operation: {
      summary: "Book an appointment",
      tag: "Appointments",
      body: {
        type: "object",
        required: ["at"],
        properties: { at: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$" } },
      },
    },
    weaknesses: [
      weak("bflaAuthorization", "The body is validated before authentication: 422 instead of 401"),
    ],
    vulnerable: (call) => {
      const { at } = objectIn(call);
      if (typeof at !== "string") return json(422, { error: "at must be a date and time" });
      return bearer(call) ? json(201, { at }) : unauthorized();
    },
    hardened: (call) => json(201, { at: objectIn(call).at }),
  },
];

/** Trusts the first address of the list, which the client can set. */
function claimsLoopback(call: Call): boolean {
  const claimed = call.headers["x-forwarded-for"] ?? call.headers["x-real-ip"] ?? "";
  return String(claimed).split(",")[0]!.trim() === "127.0.0.1";
}

/** The staff that the previous version of the API returns without a token (inventory.ts). */
export const staffOfPreviousVersion = STAFF;
