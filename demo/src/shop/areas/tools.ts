import { simulatedFetch } from "../../outgoing.ts";
import { failure, invalid, json, ok, text } from "../../response.ts";
import { isOwn, visibleTo } from "../rows.ts";
import { type ShopRoute, TEXT, weakness } from "../route.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Weaknesses that need one caller only, and that nobody sees without signing in. */
export const tools: ShopRoute[] = [
  {
    method: "GET",
    path: "/v2/link-previews",
    access: "user",
    operation: {
      summary: "Preview a link of a supplier",
      tag: "Tools",
      parameters: [
        {
          name: "url",
          in: "query",
          required: true,
          schema: TEXT,
          example: "https://lamps.supplier.test/catalogue",
        },
      ],
    },
    weaknesses: [
      weakness(
        "ssrf",
        "server-side-request",
        "Server-side request forgery in `url`, which returns the response",
      ),
    ],
    vulnerable: async (call, { origin }) => {
      const address = call.query.get("url") ?? "";
      if (!URL.canParse(address)) return invalid("url: is not a URL");
      const fetched = await simulatedFetch(address, origin);
      return "status" in fetched
        ? text(200, fetched.contentType, fetched.body)
        : failure(502, "unreachable", fetched.message);
    },
    hardened: () => invalid("url: must be a page of a supplier"),
  },
  {
    method: "GET",
    path: "/v2/shipments",
    access: "user",
    operation: {
      summary: "List shipments",
      tag: "Tools",
      parameters: [{ name: "since", in: "query", schema: TEXT, example: "2027-01-12" }],
    },
    weaknesses: [weakness("dataExposure", "stack-trace", "An invalid date returns a stack trace")],
    vulnerable: (call, { tables }) => {
      try {
        const since = new Date(call.query.get("since") ?? 0).toISOString();
        return ok({
          since,
          shipments: visibleTo(call, tables.orders, isOwn).map(({ id }) => ({ order: id })),
        });
      } catch (error) {
        const { message, stack } = error as Error;
        return json(500, { error: message, stack });
      }
    },
    hardened: (call, { tables }) => {
      const since = call.query.get("since") ?? "1970-01-01";
      return DATE.test(since) && !Number.isNaN(Date.parse(since))
        ? ok({ since, shipments: visibleTo(call, tables.orders, isOwn).map(({ id }) => ({ order: id })) })
        : invalid("since: must be a date");
    },
  },
  {
    method: "GET",
    path: "/v2/labels",
    access: "user",
    operation: {
      summary: "Print an address label",
      tag: "Tools",
      parameters: [{ name: "line", in: "query", required: true, schema: TEXT, example: "Reception" }],
    },
    weaknesses: [
      weakness(
        "inputValidation",
        "reflected-markup",
        "Reflected cross-site scripting: `line` is not escaped",
      ),
    ],
    vulnerable: (call) => label(call.query.get("line") ?? ""),
    hardened: (call) => label(escaped(call.query.get("line") ?? "")),
  },
];

const label = (line: string) =>
  text(
    200,
    "text/html; charset=utf-8",
    `<!doctype html><title>Label</title><p>Larkfield Supplies</p><p>${line}</p>`,
  );

const escaped = (value: string): string =>
  value.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
