import type { CheckCase } from "./test-check.ts";
import type { RequestListener } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { objectOf } from "../json.ts";
import { apiDocument, BEARER } from "./api-document.ts";
import { fakeApi, type FakeResponse, type Incoming, type Route } from "./fake-api.ts";

interface User {
  readonly name: string;
  readonly password: string;
  credit: number;
  attempts: number;
}

interface Thing {
  readonly id: number;
  readonly owner: User;
  status: string;
  readonly title: unknown;
  readonly quantity: unknown;
}

/** What the operations do not check. */
interface VoucherRules {
  /** Whether a thing can be redeemed again: always, or while another request redeems it. */
  readonly reuse?: "always" | "in parallel";
  /** A thing can be shipped before it is paid. */
  readonly shipsUnpaid?: true;
  /** Any number is stored as quantity. */
  readonly takesNegative?: true;
  /** How the page of a thing shows its title. */
  readonly page?: "escaped" | "unescaped" | "in a title" | "as JSON";
  /** Wrong codes that `POST /me/verify` takes until it locks. Default: three. */
  readonly maxCodes?: number;
  /** The whole API is slow once somebody has tried three codes. */
  readonly slowsDown?: true;
  /** After these, what limits codes is that the token is no longer accepted: by expiry, or because of them. */
  readonly endsSession?: true;
  /** What refuses a code also refuses a request without one. */
  readonly codesAreNotJudged?: true;
  readonly withoutRegistration?: true;
  /** No read shows the credit, the status or the quantity. */
  readonly tellsNothing?: true;
}

/** An API of things that users create, redeem for credit, pay, ship and look at; and its document. */
function vouchersApi(rules: VoucherRules = {}): { target: RequestListener; document: object } {
  const users: User[] = [];
  const things: Thing[] = [];
  const as =
    (respond: (user: User, incoming: Incoming) => FakeResponse | Promise<FakeResponse>): Route =>
    (incoming) => {
      const user = users.find(({ name }) => incoming.headers.authorization === `Bearer token-of-${name}`);
      return user ? respond(user, incoming) : { status: 401, json: { error: "Sign in" } };
    };
  const one = (respond: (thing: Thing) => FakeResponse | Promise<FakeResponse>): Route =>
    as((user, { params }) => {
      const thing = things.find(({ id, owner }) => String(id) === params["id"] && owner === user);
      return thing ? respond(thing) : { status: 404, json: { error: "Not found" } };
    });
  const step = (from: string, to: string): Route =>
    one((thing) => {
      const isSkipped = rules.shipsUnpaid === true && to === "shipped";
      if (thing.status !== from && !isSkipped)
        return { status: 409, json: { error: `It is ${thing.status}` } };
      thing.status = to;
      return { json: { ok: true } };
    });
  const routes: Record<string, Route> = {
    "POST /register": ({ body }) => {
      const { username, password } = parsed(body);
      users.push({ name: String(username), password: String(password), credit: 0, attempts: 0 });
      return { status: 201, json: { username } };
    },
    "POST /login": ({ body }) => {
      const { username, password } = parsed(body);
      const user = users.find((each) => each.name === username && each.password === password);
      return user
        ? { json: { token: `token-of-${user.name}` } }
        : { status: 401, json: { error: "Unknown user" } };
    },
    "GET /me": as(({ name, credit }) => ({ json: { name, ...(!rules.tellsNothing && { credit }) } })),
    "POST /me/verify": as((user, { body }) => {
      const { code } = parsed(body);
      if (typeof code !== "string" && !rules.codesAreNotJudged)
        return { status: 422, json: { errors: [{ field: "code", message: "is required" }] } };
      user.attempts += 1;
      if (user.attempts <= (rules.maxCodes ?? 3)) return { status: 400, json: { error: "Wrong code" } };
      return rules.endsSession
        ? { status: 401, json: { error: "Sign in" } }
        : { status: 429, json: { error: "Too many codes" } };
    }),
    "POST /things": as((owner, { body }) => {
      const { title, quantity } = parsed(body);
      if (typeof quantity !== "number" || (quantity < 1 && !rules.takesNegative))
        return { status: 422, json: { error: "quantity: must be at least 1" } };
      const thing: Thing = { id: things.length + 1, owner, status: "new", title, quantity };
      things.push(thing);
      return { status: 201, json: shown(thing, rules) };
    }),
    "GET /things/{id}": one((thing) => ({ json: shown(thing, rules) })),
    "DELETE /things/{id}": one((thing) => {
      things.splice(things.indexOf(thing), 1);
      return { status: 204 };
    }),
    "GET /things/{id}/page": one(({ title }) => pageOf(String(title), rules)),
    "POST /things/{id}/pay": step("new", "paid"),
    "POST /things/{id}/ship": step("paid", "shipped"),
    "POST /things/{id}/redeem": one(async (thing) => {
      if (thing.status !== "new" && rules.reuse !== "always")
        return { status: 409, json: { error: "It has been redeemed" } };
      if (rules.reuse === "in parallel") await wait(30);
      thing.status = "redeemed";
      thing.owner.credit += 5;
      return { json: { ok: true } };
    }),
  };
  if (rules.withoutRegistration) delete routes["POST /register"];
  const api = fakeApi(routes);
  const isSlow = (): boolean => rules.slowsDown === true && users.some(({ attempts }) => attempts > 2);
  const target: RequestListener = (...exchange) =>
    isSlow() ? void setTimeout(api, SLOW_MS, ...exchange) : api(...exchange);
  return { target, document: documentOf(Object.keys(routes)) };
}

const SLOW_MS = 400;

const shown = ({ id, title, quantity, status }: Thing, { tellsNothing }: VoucherRules): object => ({
  ...{ id, title },
  ...(!tellsNothing && { quantity, status }),
});

function pageOf(title: string, { page = "escaped" }: VoucherRules): FakeResponse {
  if (page === "as JSON") return { json: { title } };
  const text = page === "escaped" ? title.replaceAll("<", "&lt;") : title;
  const body = page === "in a title" ? `<title>${text}</title>` : `<p>${text}</p>`;
  return { headers: { "content-type": "text/html" }, body: `<!doctype html><html>${body}</html>` };
}

const parsed = (body: string): Readonly<Record<string, unknown>> => {
  try {
    return objectOf(JSON.parse(body));
  } catch {
    return {};
  }
};

function documentOf(routes: readonly string[]): object {
  const text = { type: "string" };
  const credentials = { username: text, password: text };
  const bodies: Record<string, Record<string, object>> = {
    "POST /register": credentials,
    "POST /login": credentials,
    "POST /me/verify": { code: text },
    "POST /things": { title: text, quantity: { type: "integer", example: 2 } },
  };
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    const [method = "", path = ""] = route.split(" ");
    const properties = bodies[route];
    const schema = { type: "object", properties, required: Object.keys(properties ?? {}) };
    (paths[path] ??= {})[method.toLowerCase()] = {
      responses: { 200: { description: "Done" } },
      ...(!["/register", "/login"].includes(path) && { security: BEARER.security }),
      ...(properties && { requestBody: { required: true, content: { "application/json": { schema } } } }),
    };
  }
  return apiDocument(paths, { components: BEARER.components });
}

/** A scan of it in active mode, as a case of a check. */
export const vouchersCase = (name: string, rules: VoucherRules): CheckCase => ({
  name,
  mode: "active",
  ...vouchersApi(rules),
});
