import { apiDocument } from "../../testing/api-document.ts";
import { testCheck } from "../../testing/test-check.ts";
import { ALICE_AND_BOB, NOT_FOUND, USERS, usersApi, type UserRoute } from "../../testing/users-api.ts";
import check from "./user-file-read.ts";

const OWNERS = { 71: USERS.alice, 72: USERS.bob };
const document = apiDocument({
  "/me": { get: {} },
  "/invoices": { get: {} },
  "/invoices/{invoiceId}/pdf": { get: {} },
});
const list: UserRoute = ({ id, email }) => ({
  json: Object.entries(OWNERS).flatMap(([invoice, owner]) =>
    owner.id === id ? [{ id: Number(invoice), billedTo: email }] : [],
  ),
});
const pdf =
  (text: (email: string) => string, isGuarded: boolean): UserRoute =>
  (user, { params }) => {
    const owner = OWNERS[Number(params["invoiceId"]) as keyof typeof OWNERS];
    if (!owner || (isGuarded && owner.id !== user.id)) return NOT_FOUND;
    return { headers: { "content-type": "application/pdf" }, body: `%PDF-1.7 ${text(owner.email)}` };
  };
const withPdf = (route: UserRoute, invoices = list) =>
  usersApi({ "GET /invoices": invoices, "GET /invoices/{invoiceId}/pdf": route });
const common = { document, identities: ALICE_AND_BOB };

testCheck(check, {
  positive: [
    {
      name: "a file that names its owner",
      target: withPdf(pdf((email) => `Invoice to ${email}`, false)),
      ...common,
      finding: {
        location: { method: "GET", path: "/invoices/{invoiceId}/pdf" },
        observed: "Object 71 of alice was returned to bob. It names its owner.",
      },
    },
    {
      name: "a file without a readable text, whose row names its owner",
      target: withPdf(pdf(() => "stream 00ff17", false)),
      ...common,
      finding: { observed: "Object 71 of alice was returned to bob. It names its owner in billedTo." },
    },
  ],
  negative: [
    {
      name: "a file that is not found for other users",
      target: withPdf(pdf((email) => `Invoice to ${email}`, true)),
      ...common,
    },
  ],
  inconclusive: [
    {
      name: "a file that names nobody, of a list of files that names nobody",
      target: withPdf(
        pdf(() => "Terms of service", false),
        (user) => ({
          json: [{ id: user === USERS.alice ? 71 : 72 }],
        }),
      ),
      ...common,
    },
    {
      name: "objects in JSON, which another check compares",
      target: withPdf(() => ({ json: { id: 71 } })),
      ...common,
    },
  ],
});
