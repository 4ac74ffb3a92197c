import { notFound, ok } from "../../response.ts";
import type { RouteResponse } from "../../route.ts";
import { idIn } from "../collection.ts";
import { type Row, type Rule, findFor, isAnybody, isMember, isOwn, visibleTo } from "../rows.ts";
import { NUMBER, type ShopCall, type ShopRoute, UUID, weakness } from "../route.ts";
import type { Shop } from "../shop.ts";

/** Objects inside others, and lists that a parameter selects. */
export const children: ShopRoute[] = [
  {
    method: "GET",
    path: "/v2/invoices",
    access: "user",
    operation: {
      summary: "List invoices",
      tag: "Invoices",
      parameters: [{ name: "userId", in: "query", schema: UUID }],
    },
    weaknesses: [weakness("bolaAuthorization", "list-filter", "`userId` lists the invoices of any user")],
    vulnerable: ({ user, query }, { tables }) =>
      ok({ invoices: tables.invoices.filter(({ owner }) => owner === (query.get("userId") ?? user.id)) }),
    hardened: (call, { tables }) => {
      const userId = call.query.get("userId") ?? call.user.id;
      return ok({ invoices: visibleTo(call, tables.invoices).filter(({ owner }) => owner === userId) });
    },
  },
  {
    method: "GET",
    path: "/v2/invoices/{invoiceId}",
    access: "user",
    operation: { summary: "Read invoice", tag: "Invoices", parameters: [idIn("invoiceId", NUMBER)] },
    weaknesses: [],
    traps: ["The administrator reads the invoices of all users"],
    vulnerable: invoice,
    hardened: invoice,
  },
  {
    method: "GET",
    path: "/v2/invoices/{invoiceId}/lines/{lineId}",
    access: "user",
    operation: {
      summary: "Read a line of an invoice",
      tag: "Invoices",
      parameters: [idIn("invoiceId", NUMBER), idIn("lineId", NUMBER)],
    },
    weaknesses: [
      weakness(
        "bolaAuthorization",
        "child-object",
        "A line of any invoice can be read through an invoice of one's own",
      ),
    ],
    vulnerable: (call, shop) => line(call, shop, linesOf(...shop.tables.invoices)),
    hardened: (call, shop) => line(call, shop, linesOf(ownInvoice(call, shop))),
  },
  {
    method: "GET",
    path: "/v2/projects/{projectId}/comments",
    access: "user",
    operation: {
      summary: "List the comments on a project",
      tag: "Projects",
      parameters: [idIn("projectId")],
    },
    weaknesses: [
      weakness(
        "bolaAuthorization",
        "child-object",
        "A project is limited to its members, its comments are not",
      ),
    ],
    vulnerable: (call, shop) => comments(call, shop, isAnybody),
    hardened: (call, shop) => comments(call, shop, isMember),
  },
];

const ownInvoice = (call: ShopCall, { tables }: Shop): Row | undefined =>
  findFor(call, { rows: tables.invoices, id: call.params["invoiceId"], rule: isOwn });

function invoice(call: ShopCall, shop: Shop): RouteResponse {
  const row = ownInvoice(call, shop);
  return row ? ok(row) : notFound();
}

type Line = { id: number };
const linesOf = (...invoices: (Row | undefined)[]): Line[] =>
  invoices.flatMap((each) => (each?.["lines"] as Line[] | undefined) ?? []);

function line(call: ShopCall, shop: Shop, lines: Line[]): RouteResponse {
  const found = lines.find(({ id }) => String(id) === call.params["lineId"]);
  return found && ownInvoice(call, shop) ? ok(found) : notFound();
}

function comments(call: ShopCall, { tables }: Shop, rule: Rule): RouteResponse {
  const project = findFor(call, { rows: tables.projects, id: call.params["projectId"], rule });
  return project
    ? ok({ comments: tables.comments.filter((comment) => comment["project"] === project.id) })
    : notFound();
}
