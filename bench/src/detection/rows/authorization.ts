import type { FakeResponse, Route } from "../../../../scanner-job/src/testing/fake-api.ts";
import { byPath, forbidden, notFound, open, secured, taking, unauthorized, type Row } from "../row.ts";

const objects = (rows: readonly { readonly id: string | number }[]): Route =>
  byPath((id) => {
    const row = rows.find((each) => String(each.id) === id);
    return row ? { json: row } : notFound;
  });

const idOf = (name: string): object => ({
  parameters: [{ name, in: "path", required: true, schema: { type: "integer" } }],
});

const members = [
  { id: 7, nickname: "Ada" },
  { id: 8, nickname: "Grace" },
];
const patrons = ["Ada King", "Grace Hopper", "Edsger Wybe", "Barbara Liskov"].map((name, index) => ({
  id: 41 + index,
  name,
  dateOfBirth: `19${10 + index}-01-01`,
}));
const letter = { id: 1001, title: "Letter", text: "Your reservation is ready." };
const audit: FakeResponse = { json: { audit: [{ actor: "root", action: "export" }] } };
const staff: FakeResponse = { json: { staff: [{ id: "s-1", nickname: "Ines" }] } };
const unknownInvoice: FakeResponse = { status: 404, json: { message: "This invoice does not exist" } };
const unfit: FakeResponse = {
  status: 422,
  json: { error: "text must be a string of at least one character" },
};

export const authorizationRows: readonly Row[] = [
  {
    checks: ["bola-authorization/anonymous-object-read", "bola-authorization/altered-id-read"],
    at: "GET /members/{memberId}",
    document: { "/members": { get: open }, "/members/{memberId}": { ...idOf("memberId"), get: secured() } },
    weak: { "GET /members": { json: { members } }, "GET /members/{memberId}": objects(members) },
    safe: { "GET /members": { json: { members } }, "GET /members/{memberId}": unauthorized },
    alsoTrue: { "authentication/declared-but-not-enforced": "the same read, of the operation as a whole" },
  },
  {
    checks: ["bola-authorization/altered-id-read", "bola-authorization/anonymous-object-read"],
    at: "GET /patrons/{patronId}",
    document: { "/patrons": { get: open }, "/patrons/{patronId}": { ...idOf("patronId"), get: secured() } },
    weak: {
      "GET /patrons": { json: { patrons: patrons.slice(0, 2).map(({ id }) => ({ id })) } },
      "GET /patrons/{patronId}": objects(patrons),
    },
    safe: {
      "GET /patrons": { json: { patrons: patrons.slice(0, 2).map(({ id }) => ({ id })) } },
      "GET /patrons/{patronId}": unauthorized,
    },
    alsoTrue: {
      "authentication/declared-but-not-enforced": "the same read, of the operation as a whole",
      "property-authorization/sensitive-fields-anonymous": "dates of birth",
    },
  },
  {
    checks: ["bola-authorization/existence-oracle"],
    at: "GET /documents/{documentId}",
    document: {
      "/documents": { get: open },
      "/documents/{documentId}": { ...idOf("documentId"), get: secured() },
    },
    weak: {
      "GET /documents": { json: [{ id: 1001 }] },
      "GET /documents/{documentId}": byPath((id) => (id === "1001" ? forbidden : notFound)),
    },
    safe: { "GET /documents": { json: [{ id: 1001 }] }, "GET /documents/{documentId}": forbidden },
  },
  {
    checks: ["bola-authorization/id-wrapping"],
    at: "GET /letters/{letterId}",
    document: { "/letters": { get: open }, "/letters/{letterId}": { ...idOf("letterId"), get: secured() } },
    weak: {
      "GET /letters": { json: [{ id: 1001 }] },
      "GET /letters/1001.json": { json: letter },
      "GET /letters/{letterId}": forbidden,
    },
    safe: { "GET /letters": { json: [{ id: 1001 }] }, "GET /letters/{letterId}": forbidden },
  },
  {
    checks: ["bola-authorization/method-differential", "bfla-authorization/auth-after-validation"],
    at: "GET /records/{recordId}",
    document: {
      "/records/{recordId}": {
        ...idOf("recordId"),
        get: secured(),
        put: secured(taking("text")),
        patch: secured(taking("text")),
        delete: secured(),
      },
    },
    weak: { "PATCH /records/{recordId}": unfit, "* /records/{recordId}": unauthorized },
    safe: { "* /records/{recordId}": unauthorized },
  },
  {
    checks: ["bola-authorization/predictable-ids"],
    at: "GET /users/{userId}",
    document: { "/users": { get: open }, "/users/{userId}": { ...idOf("userId"), get: secured() } },
    weak: {
      "GET /users": { json: [1001, 1002, 1004].map((id) => ({ id })) },
      "GET /users/{userId}": unauthorized,
    },
    safe: {
      "GET /users": {
        json: ["0b9c1a52-6a4e-4a8e-9c55-54a0ff7b2f1d", "7d0e6a11-1c2b-4f6d-8a77-9d3c5e2b4a60"].map((id) => ({
          id,
        })),
      },
      "GET /users/{userId}": unauthorized,
    },
  },
  {
    checks: ["bfla-authorization/anonymous-admin-operation", "authentication/declared-but-not-enforced"],
    at: "GET /admin/accounts",
    document: { "/admin/accounts": { get: secured() } },
    weak: { "GET /admin/accounts": { json: { accounts: [{ id: "a-1", role: "owner" }] } } },
    safe: { "GET /admin/accounts": unauthorized },
  },
  {
    checks: ["bfla-authorization/method-override"],
    at: "GET /invoices/{invoiceId}",
    document: { "/invoices/{invoiceId}": { ...idOf("invoiceId"), get: secured() } },
    weak: {
      "DELETE /invoices/{invoiceId}": unknownInvoice,
      "GET /invoices/{invoiceId}": ({ headers }) =>
        headers["x-http-method-override"] === "DELETE" ? unknownInvoice : unauthorized,
      "* /invoices/{invoiceId}": { status: 405, json: { error: "Method not allowed" } },
    },
    safe: { "* /invoices/{invoiceId}": unauthorized },
    alsoTrue: {
      "bfla-authorization/undocumented-method": "DELETE succeeds without credentials",
      "bola-authorization/method-differential": "DELETE succeeds where GET is refused",
    },
  },
  {
    checks: ["bfla-authorization/rewrite-header-bypass"],
    at: "GET /admin/audit",
    document: { "/admin/audit": { get: secured() } },
    weak: {
      "GET /admin/audit": ({ headers }) =>
        headers["x-forwarded-for"] === "127.0.0.1" ? audit : unauthorized,
    },
    safe: { "GET /admin/audit": unauthorized },
  },
  {
    checks: ["bfla-authorization/role-hint"],
    at: "GET /settings",
    document: { "/settings": { get: secured() } },
    weak: {
      "GET /settings": ({ headers }) =>
        headers["x-role"] === "admin" ? { json: { currency: "GBP", relay: "mail" } } : forbidden,
    },
    safe: { "GET /settings": forbidden },
  },
  {
    checks: ["bfla-authorization/undocumented-method"],
    at: "PATCH /bills/{billId}",
    document: { "/bills/{billId}": { ...idOf("billId"), get: {} } },
    weak: {
      "OPTIONS /bills/{billId}": { status: 204, headers: { allow: "GET, PATCH, OPTIONS" } },
      "GET /bills/{billId}": notFound,
      "PATCH /bills/{billId}": { status: 400, json: { error: "amount is required" } },
      "* /bills/{billId}": { status: 405, json: { error: "Method not allowed" } },
    },
    safe: {
      "OPTIONS /bills/{billId}": { status: 204, headers: { allow: "GET, PATCH, OPTIONS" } },
      "GET /bills/{billId}": notFound,
      "PATCH /bills/{billId}": unauthorized,
      "* /bills/{billId}": { status: 405, json: { error: "Method not allowed" } },
    },
  },
  {
    checks: ["bfla-authorization/version-downgrade"],
    at: "GET /v2/staff",
    document: { "/v2/staff": { get: secured() } },
    weak: { "GET /v2/staff": unauthorized, "GET /v1/staff": staff },
    safe: { "GET /v2/staff": unauthorized, "GET /v1/staff": unauthorized },
    alsoTrue: { "inventory-management/old-version-alive": "the first version, as such" },
  },
  {
    checks: ["property-authorization/field-expansion"],
    at: "GET /authors",
    document: { "/authors": { get: {} } },
    weak: {
      "GET /authors": ({ query }) => ({
        json: [
          {
            id: 1,
            pen: "Ines",
            ...(query.get("fields") === "*"
              ? { passwordHash: "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad" }
              : {}),
          },
        ],
      }),
    },
    safe: { "GET /authors": { json: [{ id: 1, pen: "Ines" }] } },
  },
  {
    checks: ["property-authorization/hidden-field-sort-oracle"],
    at: "GET /branches",
    document: {
      "/branches": { get: { parameters: [{ name: "sort", in: "query", schema: { type: "string" } }] } },
    },
    weak: {
      "GET /branches": ({ query }) => ({
        json: {
          branches: (query.get("sort") === "password" ? [2, 3, 1] : [1, 2, 3]).map((id) => ({
            id,
            town: `T${id}`,
          })),
        },
      }),
    },
    safe: { "GET /branches": { json: { branches: [1, 2, 3].map((id) => ({ id, town: `T${id}` })) } } },
  },
  {
    checks: ["property-authorization/sensitive-fields-anonymous", "data-exposure/personal-data-lists"],
    at: "GET /librarians",
    document: { "/librarians": { get: {} } },
    weak: {
      "GET /librarians": {
        json: {
          librarians: [
            { id: "x", passwordHash: "$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad", ssn: "536-90-4399" },
          ],
        },
      },
    },
    safe: { "GET /librarians": { json: { librarians: [{ id: "x", desk: 4 }] } } },
  },
  {
    checks: ["property-authorization/undeclared-response-fields"],
    at: "GET /card",
    document: {
      "/card": {
        get: {
          responses: {
            200: {
              description: "The card",
              content: {
                "application/json": { schema: { type: "object", properties: { id: { type: "integer" } } } },
              },
            },
          },
        },
      },
    },
    weak: { "GET /card": { json: { id: 1, ssn: "536-90-4399" } } },
    safe: { "GET /card": { json: { id: 1 } } },
    alsoTrue: { "property-authorization/sensitive-fields-anonymous": "the same field, seen by anybody" },
  },
  {
    checks: ["property-authorization/mass-assignment-candidates"],
    at: "POST /guests",
    document: {
      "/guests": {
        post: secured({
          requestBody: {
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  properties: { name: { type: "string" }, role: { type: "string", readOnly: true } },
                },
              },
            },
          },
        }),
      },
    },
    safeDocument: { "/guests": { post: secured(taking("name")) } },
    weak: { "POST /guests": unauthorized },
    safe: { "POST /guests": unauthorized },
  },
  {
    checks: ["bfla-authorization/destructive-without-security"],
    at: "GET /reset",
    document: { "/reset": { get: { summary: "Reset the database" } } },
    safeDocument: { "/reset": { get: secured({ summary: "Reset the database" }) } },
    weak: { "GET /reset": { json: { done: true } } },
    safe: { "GET /reset": unauthorized },
  },
  {
    checks: ["bfla-authorization/unguarded-sibling"],
    at: "GET /receipts/{receiptId}/payer",
    document: {
      "/receipts/{receiptId}": { ...idOf("receiptId"), get: {} },
      "/receipts/{receiptId}/payer": { ...idOf("receiptId"), get: {} },
    },
    weak: {
      "GET /receipts/{receiptId}": unauthorized,
      "GET /receipts/{receiptId}/payer": {
        json: { name: "Ada King", email: "ada@payers.test", iban: "GB33BUKB20201555555555" },
      },
    },
    safe: { "GET /receipts/{receiptId}": unauthorized, "GET /receipts/{receiptId}/payer": unauthorized },
    alsoTrue: { "property-authorization/sensitive-fields-anonymous": "a bank account, shown to anybody" },
  },
];
