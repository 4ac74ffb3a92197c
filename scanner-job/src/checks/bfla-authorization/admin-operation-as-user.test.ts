import { describe, expect, it } from "vitest";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { adminOnly, callerIn, ROOT, ROOT_AND_ANN, signedIn } from "../../testing/callers.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { anOperation } from "../../testing/samples.ts";
import { testCheck } from "../../testing/test-check.ts";
import adminOperationAsUser, { gravityOf, kindOf } from "./admin-operation-as-user.ts";

const document = apiDocument(
  { "/admin/accounts": { get: {} }, "/admin/log": { get: {} }, "/loans": { get: {} } },
  BEARER,
);
const identities = ROOT_AND_ANN;
const accounts = {
  json: [
    { id: 1, email: "mara@larkfield.test", role: "librarian" },
    { id: 2, email: "tom@larkfield.test", role: "reader" },
  ],
};
const log = adminOnly({ json: [{ line: "Mara removed a book", by: "mara" }] });
const loans = signedIn((incoming) => ({ json: [{ id: 7, of: callerIn(incoming) }] }));

testCheck(adminOperationAsUser, {
  positive: [
    {
      name: "a list of accounts that lacks the role check which its sibling has",
      document,
      identities,
      target: fakeApi({
        "GET /admin/accounts": signedIn(accounts),
        "GET /admin/log": log,
        "GET /loans": loans,
      }),
      finding: {
        severity: "critical",
        confidence: "confirmed",
        location: { method: "GET", path: "/admin/accounts" },
      },
      count: 1,
    },
    {
      name: "one where nothing else refuses the user, with less confidence",
      document,
      identities,
      target: fakeApi({ "GET /admin/accounts": signedIn(accounts), "GET /loans": loans }),
      finding: { severity: "high", confidence: "firm" },
      count: 1,
    },
    {
      name: "figures that vary a little, beside a refusal",
      document: apiDocument({ "/admin/revenue": { get: {} }, "/admin/log": { get: {} } }, BEARER),
      identities,
      target: fakeApi({
        "GET /admin/revenue": signedIn(() => ({
          json: { total: 9120, month: "May", at: performance.now() },
        })),
        "GET /admin/log": log,
      }),
      finding: { severity: "medium", confidence: "firm" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "operations that refuse the user",
      document,
      identities,
      target: fakeApi({
        "GET /admin/accounts": adminOnly(accounts),
        "GET /admin/log": log,
        "GET /loans": loans,
      }),
    },
    {
      name: "a refusal with status 200",
      document,
      identities,
      target: fakeApi({
        "GET /admin/accounts": signedIn((incoming) =>
          callerIn(incoming) === "root"
            ? accounts
            : { json: { message: "Only administrators may see this." } },
        ),
      }),
    },
    {
      name: "an operation that is hidden from the user",
      document,
      identities,
      target: fakeApi({
        "GET /admin/accounts": signedIn((incoming) =>
          callerIn(incoming) === "root" ? accounts : { status: 404 },
        ),
      }),
    },
    {
      name: "a dashboard with the figures of each caller",
      document: apiDocument({ "/admin/dashboard": { get: {} }, "/admin/log": { get: {} } }, BEARER),
      identities,
      target: fakeApi({
        "GET /admin/dashboard": signedIn((incoming) => ({
          json: callerIn(incoming) === "root" ? { open: 41, done: 902 } : { open: 1, done: 3 },
        })),
        "GET /admin/log": log,
      }),
    },
    {
      name: "a catalogue that every user may read",
      document: apiDocument({ "/admin/catalogue": { get: {} }, "/admin/log": { get: {} } }, BEARER),
      identities,
      target: fakeApi({
        "GET /admin/catalogue": signedIn({ json: [{ id: 1, title: "Tea", price: 4 }] }),
        "GET /admin/log": log,
      }),
    },
  ],
  inconclusive: [
    {
      name: "an operation that is open to everybody, which another check reports",
      document,
      identities,
      target: fakeApi({ "GET /admin/accounts": accounts, "GET /loans": loans }),
    },
    {
      name: "a host that returns the same to each path",
      document,
      identities,
      target: fakeApi({ "GET *": signedIn(accounts) }),
    },
    {
      name: "a scan without a plain user",
      document,
      identities: [ROOT],
      target: fakeApi({ "GET /admin/accounts": signedIn(accounts), "GET /loans": loans }),
    },
    {
      name: "a fault",
      document,
      identities,
      target: fakeApi({
        "GET /admin/accounts": signedIn((incoming) =>
          callerIn(incoming) === "root" ? accounts : { status: 502, body: "" },
        ),
        "GET /loans": loans,
      }),
    },
  ],
});

describe("what shows that an operation is for administrators", () => {
  const settings = { host: "db.internal:5432", poolSize: 10, logLevel: "debug", debug: true };
  it.each([
    ["/admin/accounts", accounts.json, "accounts"],
    ["/admin/config", settings, "configuration"],
    ["/admin/patients", [{ patientName: "Ada Byron", dateOfBirth: "1990-01-02" }], "restricted"],
    ["/admin/revenue", { total: 3 }, "named"],
    ["/admin/products", [{ title: "Tea" }], "published"],
    ["/runtime", settings, "operational"],
    ["/me/settings", settings, undefined],
    ["/loans", [{ id: 1 }], undefined],
  ])("what shows that an operation is for administrators of %s with %j is %s", (path, json, kind) => {
    expect(kindOf(anOperation({ path }).facts, json)).toBe(kind);
  });

  it("weighs never more where no operation refuses the user", () => {
    expect(gravityOf("published", { enforcesRoles: true })).toBeUndefined();
    for (const kind of ["named", "operational", "published"] as const)
      expect(gravityOf(kind, { enforcesRoles: false })).toBeUndefined();
    for (const kind of ["accounts", "configuration", "restricted"] as const)
      expect(gravityOf(kind, { enforcesRoles: false })).toEqual({ confidence: "firm" });
  });
});
