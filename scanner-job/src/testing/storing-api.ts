import type { RequestListener } from "node:http";
import { apiDocument } from "./api-document.ts";
import { fakeApi, type FakeResponse, type Incoming } from "./fake-api.ts";

/** A row that a write stored: by which method, and at which path it was sent. */
export interface Row {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** An API that stores everything that it is sent, at any path. */
export interface StoringApi {
  readonly listener: RequestListener;
  readonly document: object;
  /** What was stored, in order. */
  readonly rows: readonly Row[];
  /** Whether every row of before is as it was. */
  readonly isSeedIntact: () => boolean;
}

type Respond = (row: { readonly id: number; readonly path: string; readonly body: string }) => FakeResponse;

/** How APIs say that they stored something. */
const RESPONSES: Readonly<Record<string, Respond>> = {
  created: ({ id, path, body }) => ({
    status: 201,
    headers: { location: `${path}/${id}` },
    json: { id, ...asObject(body) },
  }),
  echoed: ({ id, body }) => ({ json: { id, ...asObject(body) } }),
  wrapped: ({ id, body }) => ({ json: { data: { id, ...asObject(body) } } }),
  acknowledged: () => ({ json: { ok: true } }),
  message: () => ({ json: { message: "Thank you" } }),
  accepted: () => ({ status: 202, json: {} }),
  empty: () => ({ status: 204 }),
  redirected: ({ path, id }) => ({ status: 303, headers: { location: `${path}/${id}` } }),
  listed: ({ path }) => ({ status: 303, headers: { location: path } }),
  "signing in next": () => ({ status: 302, headers: { location: "/login" } }),
  failing: ({ id }) => ({ status: 201, json: { id, status: "fail", error: "None yet" } }),
  tokened: ({ id }) => ({ json: { token: `k3J9sLq0vB7nX2aZ${id}` } }),
};

/** Each operation that takes a body, how it responds, and the members that its document requires. */
const WRITES: Readonly<Record<string, { respond: string; members: readonly string[]; summary?: string }>> = {
  "/register": { respond: "created", members: ["email", "password"] },
  "/signup": { respond: "tokened", members: ["username", "password", "firstName"] },
  "/users": { respond: "echoed", members: ["email", "password"] },
  "/login": { respond: "tokened", members: ["username", "password"] },
  "/auth": { respond: "acknowledged", members: ["email", "password"] },
  "/sessions": { respond: "created", members: ["email", "password"] },
  "/password-resets": { respond: "signing in next", members: ["email"] },
  "/otp/verify": { respond: "accepted", members: ["email", "code"] },
  "/imports": { respond: "wrapped", members: ["url"] },
  "/import": { respond: "acknowledged", members: ["sourceUrl"] },
  "/crawl": { respond: "failing", members: ["url"] },
  "/pages/scrape": { respond: "listed", members: ["url"] },
  "/pages/fetch": { respond: "echoed", members: ["url"] },
  "/webhooks/test": { respond: "message", members: ["callbackUrl"] },
  "/search": { respond: "created", members: ["term"], summary: "Search the tales" },
  "/labels/preview": { respond: "redirected", members: ["text"] },
  "/validate": { respond: "echoed", members: ["name", "kind"] },
  "/orders": { respond: "empty", members: ["item"] },
  "/feedback": { respond: "redirected", members: ["text"] },
  "/assistant/ask": { respond: "echoed", members: ["question"] },
  "/v1/chat/completions": { respond: "wrapped", members: ["model", "messages"] },
  "/graphql": { respond: "wrapped", members: ["query"] },
  "/mcp": { respond: "echoed", members: ["jsonrpc", "method"] },
};
const OBJECTS = ["/users", "/orders", "/tales"];

/** Such an API, with rows of before in its collections. */
export function storingApi(): StoringApi {
  const seed = new Map<string, string>(
    OBJECTS.flatMap((path) => [7, 8, 9].map((id) => [`${path}/${id}`, `${path} ${id}`] as const)),
  );
  const before = JSON.stringify([...seed]);
  const rows: Row[] = [];
  const store = ({ method, path, body }: Incoming, respond: Respond): FakeResponse => {
    rows.push({ method, path, body });
    return respond({ id: 1_000 + rows.length, path, body });
  };
  const replace = (incoming: Incoming): FakeResponse => {
    if (seed.has(incoming.path)) seed.set(incoming.path, incoming.body);
    else rows.push(incoming);
    return { json: { id: incoming.path.split("/").at(-1), ...asObject(incoming.body) } };
  };
  const one = ({ path }: Incoming): FakeResponse => {
    const value = seed.get(path);
    return value === undefined
      ? { status: 404, json: { error: "There is none" } }
      : { json: { id: path.split("/").at(-1), name: value } };
  };
  const listener = fakeApi({
    "GET /": { json: { name: "tales", links: [...Object.keys(WRITES), ...OBJECTS] } },
    ...Object.fromEntries(
      OBJECTS.flatMap((path) => [
        [`GET ${path}`, { json: [7, 8, 9].map((id) => ({ id, name: seed.get(`${path}/${id}`) })) }],
        [`GET ${path}/{id}`, one],
        [`DELETE ${path}/{id}`, (incoming: Incoming) => (seed.delete(incoming.path), { status: 204 })],
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(WRITES).flatMap(([path, { respond }]) => [
        [`POST ${path}`, (incoming: Incoming) => store(incoming, RESPONSES[respond]!)],
        [`GET ${path}`, { status: 405, headers: { allow: "POST" }, json: { error: "Use POST" } }],
      ]),
    ),
    "PUT *": replace,
    "PATCH *": replace,
    "POST *": (incoming) => store(incoming, RESPONSES["created"]!),
  });
  return { listener, document: documentOf(), rows, isSeedIntact: () => JSON.stringify([...seed]) === before };
}

function documentOf(): object {
  const posts = Object.entries(WRITES).map(([path, { members, summary }]) => [
    path,
    { post: { ...(summary !== undefined && { summary }), requestBody: bodyOf(members) } },
  ]);
  const objects = OBJECTS.flatMap((path) => [
    [path, { get: {}, post: { requestBody: bodyOf(["name"]) } }],
    [
      `${path}/{id}`,
      {
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
        ...{ get: {}, delete: {} },
        put: { requestBody: bodyOf(["name"]) },
        patch: { requestBody: bodyOf(["name"]) },
      },
    ],
  ]);
  const paths = Object.fromEntries([...posts, ...objects]) as Record<string, object>;
  const users = { ...paths["/users"], ...(posts.find(([path]) => path === "/users")![1] as object) };
  return apiDocument({ ...paths, "/users": users });
}

const bodyOf = (members: readonly string[]): object => ({
  required: true,
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: members,
        properties: Object.fromEntries(members.map((name) => [name, { type: "string" }])),
      },
    },
  },
});

function asObject(body: string): object {
  try {
    return Object(JSON.parse(body)) as object;
  } catch {
    return { body };
  }
}

/** Operations, by method and path with ids as one, of which more than one row is stored. */
export const storedTwice = (rows: readonly Row[]): string[] => {
  const byOperation = Map.groupBy(rows, operationOf);
  return [...byOperation].filter(([, own]) => own.length > 1).map(([operation]) => operation);
};

/** `PUT /users/{}`. */
export const operationOf = ({ method, path }: Pick<Row, "method" | "path">): string => {
  const collection = OBJECTS.find((each) => path.startsWith(`${each}/`));
  return `${method} ${collection === undefined ? path : `${collection}/{}`}`;
};
