import { shown } from "../clinic.ts";
import { bearer, forbidden, json, notFound, objectIn, ok, unauthorized } from "../reply.ts";
import { type Call, type Route, idIn, weak } from "../route.ts";
import { anyone, owned } from "../rows.ts";

const STAFF = [
  { id: "s-1", name: "Ines Lund", rota: "Mon-Thu" },
  { id: "s-2", name: "Omar Haddad", rota: "Tue-Fri" },
];
const AUDIT = [{ at: "2026-11-02T08:12:00Z", actor: "root@larkfield.test", action: "export" }];

/** What an account may do: administration, hidden methods and the ways round a refusal. */
export const functionAuthorization: Route[] = [
  {
    method: "GET",
    path: "/v2/admin/users",
    access: "admin",
    operation: { summary: "List all accounts", tag: "Administration" },
    weaknesses: [weak("bflaAuthorization", "An administrator's operation answers anybody")],
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
        "The 401 is passed by naming the path in `X-Original-URL` of another request",
      ),
      weak("bflaAuthorization", "The 401 is passed by `X-Forwarded-For: 127.0.0.1`"),
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
    weaknesses: [weak("bflaAuthorization", "The 403 is passed by `X-Role: admin` or `?admin=true`")],
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
    weaknesses: [weak("bflaAuthorization", "`X-HTTP-Method-Override` turns this read into any other method")],
    vulnerable: (call) => (bearer(call) ? notFound() : unauthorized()),
    hardened: (call, clinic) => {
      const own = owned(clinic.invoices, call, "invoiceId");
      return own ? ok(shown(own, ["id", "amount", "paid"])) : notFound();
    },
  },
  {
    method: "DELETE",
    path: "/v2/invoices/{invoiceId}",
    access: "admin",
    weaknesses: [
      weak(
        "bflaAuthorization",
        "`Allow` names a DELETE that the document does not, and it asks for no token",
      ),
    ],
    vulnerable: (call, clinic) => {
      const row = anyone(clinic.invoices, call, "invoiceId");
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
    weaknesses: [weak("bflaAuthorization", "The form is judged before the caller: 422 where others get 401")],
    vulnerable: (call) => {
      const { at } = objectIn(call);
      if (typeof at !== "string") return json(422, { error: "at must be a date and time" });
      return bearer(call) ? json(201, { at }) : unauthorized();
    },
    hardened: (call) => json(201, { at: objectIn(call).at }),
  },
];

/** The first address of the list is what the client wrote itself. */
function claimsLoopback(call: Call): boolean {
  const claimed = call.headers["x-forwarded-for"] ?? call.headers["x-real-ip"] ?? "";
  return String(claimed).split(",")[0]!.trim() === "127.0.0.1";
}

/** The rows that the retired first version shows without a token; see areas/inventory.ts. */
export const staffOfOldVersion = STAFF;
