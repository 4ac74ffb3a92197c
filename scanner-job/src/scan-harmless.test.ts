import type { RequestListener } from "node:http";
import { instancesOf } from "@glovebox/domain";
import { describe, expect, test } from "vitest";
import { percentDecoded } from "./names.ts";
import { apiDocument } from "./testing/api-document.ts";
import { fakeApi, type FakeResponse } from "./testing/fake-api.ts";
import { scanned } from "./testing/scanned.ts";
import { operationOf, storedTwice, storingApi } from "./testing/storing-api.ts";

const TIMED_OUT = 120_000;

describe.concurrent("a safe scan of an API that stores everything it receives", () => {
  test.each([
    ["with its document", true],
    ["without a document", false],
  ])("%s stores one row per operation at most, and reports each", { timeout: TIMED_OUT }, async (_, has) => {
    const api = storingApi();
    const { sideEffects = [], findings } = await scanned(api.listener, has ? api.document : undefined);
    expect(api.isSeedIntact()).toBe(true);
    expect(storedTwice(api.rows)).toEqual([]);
    expect(api.rows.length).toBeGreaterThan(5);
    const reported = sideEffects.map(({ request: { method, url } }) =>
      operationOf({ method, path: new URL(url).pathname }),
    );
    expect(reported.toSorted()).toEqual(api.rows.map(operationOf).toSorted());
    expect(sideEffects.every(({ cleaned }) => !cleaned)).toBe(true);
    if (!has) return;
    const locationsOf = (check: string): string[] =>
      findings
        .flatMap(instancesOf)
        .filter((instance) => instance.check === check)
        .map(({ location }) => location.path);
    expect(locationsOf("authentication/registration-without-password")).toEqual(
      expect.arrayContaining(["/register", "/users"]),
    );
    const unvalidated = locationsOf("input-validation/unvalidated-write");
    expect(unvalidated).toEqual(expect.arrayContaining(["/login"]));
    expect(unvalidated).not.toContain("/register");
  });
});

test(
  "what is stored by an API that then drops the connection is reported",
  { timeout: TIMED_OUT },
  async () => {
    const rows: string[] = [];
    const names = ["email", "password"];
    const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
    const schema = { type: "object", required: names, properties };
    const content = { "application/x-www-form-urlencoded": { schema } };
    const { sideEffects = [] } = await scanned(
      fakeApi({
        "GET /": { json: { name: "lark" } },
        "POST /register": ({ body }) => (rows.push(body), { cut: true }),
      }),
      apiDocument({ "/register": { post: { requestBody: { required: true, content } } } }),
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(3);
    expect(sideEffects).toMatchObject([{ operation: { path: "/register" }, response: { status: 0 } }]);
  },
);

describe.concurrent("a safe scan leaves the session and the account of its caller alone", () => {
  const ENDS = [
    "GET /logout",
    "POST /logout",
    "GET /connect/endsession",
    "DELETE /session",
    "DELETE /me",
    "POST /account/close",
  ];
  const keeps = ["GET /me", "GET /session", "GET /account"];

  test.each([
    ["with a document", true],
    ["without one", false],
  ])("%s", { timeout: TIMED_OUT }, async (_, has) => {
    const calls = new Set<string>();
    const all = [...keeps, ...ENDS].map((call) => call.split(" ") as [string, string]);
    const me = { json: { id: 7, email: "ada@larkfield.test" } };
    const listener = fakeApi({
      "GET /": { json: Object.fromEntries(all.map(([, path]) => [path.slice(1), path])) },
      ...Object.fromEntries(all.map(([method, path]) => [`${method} ${path}`, me])),
    });
    const paths = Map.groupBy(all, ([, path]) => path);
    const document = apiDocument(
      Object.fromEntries(
        [...paths].map(([path, own]) => [
          path,
          Object.fromEntries(own.map(([method]) => [method.toLowerCase(), {}])),
        ]),
      ),
    );
    await scanned(
      (request, response) => {
        calls.add(`${request.method} ${new URL(request.url!, "http://host").pathname}`);
        listener(request, response);
      },
      has ? document : undefined,
    );
    expect(ENDS.filter((call) => calls.has(call))).toEqual([]);
    for (const call of keeps) expect(calls).toContain(call);
  });
});

describe.concurrent("a safe scan registers nobody", () => {
  const document = apiDocument({
    "/accounts": { get: {} },
    "/register": {
      post: {
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["email", "password"],
                properties: { email: { type: "string", format: "email" }, password: { type: "string" } },
              },
              example: { email: "ada@larkfield.test", password: "lovelace1" },
            },
          },
        },
      },
    },
  });
  type Body = Readonly<Record<string, unknown>> | undefined;
  const registering = (refusal: (body: Body) => FakeResponse | undefined) => {
    const accounts: Body[] = [];
    const target = fakeApi({
      "GET /": { json: { name: "lark" } },
      "GET /accounts": { json: [{ email: "ada@larkfield.test" }, { email: "grace@larkfield.test" }] },
      "POST /register": ({ body: text }) => {
        const body = parsed(text);
        const refused = refusal(body);
        if (!refused) accounts.push(body);
        return refused ?? { status: 201, json: { id: accounts.length, token: "k3J9sLq0vB7nX2aZ" } };
      },
    });
    return { accounts, target };
  };
  const hasAddress = (body: Body): boolean => JSON.stringify(body?.["email"] ?? "").includes("@");

  test.each<[string, (body: Body) => FakeResponse | undefined]>([
    [
      "at an API that validates the address and not the password",
      (body) => (hasAddress(body) ? undefined : { status: 422, json: { error: "email is not valid" } }),
    ],
    [
      "at an API that says of the document's example that it exists already",
      (body) => {
        if (!hasAddress(body)) return { status: 400, json: { error: "email is required" } };
        return body!["email"] === "ada@larkfield.test"
          ? { status: 409, json: { error: "This account already exists" } }
          : undefined;
      },
    ],
    [
      "at an API whose form of a refusal is a success",
      (body) => (hasAddress(body) ? undefined : { json: { success: false, error: "email is required" } }),
    ],
  ])("%s", { timeout: TIMED_OUT }, async (_, refusal) => {
    const { accounts, target } = registering(refusal);
    const { sideEffects } = await scanned(target, document);
    expect(accounts).toEqual([]);
    expect(sideEffects).toEqual([]);
  });

  test("twice, where the sign-in of the document is a registration", { timeout: TIMED_OUT }, async () => {
    const { accounts, target } = registering((body) =>
      hasAddress(body) ? undefined : { status: 422, json: { error: "email is not valid" } },
    );
    const asSignIn = JSON.parse(JSON.stringify(document).replaceAll("/register", "/login")) as object;
    const renamed: RequestListener = (request, response) => {
      request.url = request.url?.replace("/login", "/register") ?? "";
      target(request, response);
    };
    const { sideEffects } = await scanned(renamed, asSignIn);
    expect(accounts).toHaveLength(1);
    expect(accounts[0]!["email"]).toMatch(/\.invalid$/);
    expect(sideEffects).toHaveLength(1);
  });
});

test("made-up addresses of a whole scan can receive no mail", { timeout: TIMED_OUT }, async () => {
  const sent = new Set<string>();
  const { listener, document } = storingApi();
  const listening: RequestListener = (request, response) => {
    const note = (text: string): void => {
      for (const [address] of text.matchAll(/[\w.+-]+@[\w-]+(\.[\w-]+)+/g)) sent.add(address);
    };
    note(percentDecoded(request.url ?? ""));
    request.on("data", (chunk: Buffer) => note(chunk.toString()));
    listener(request, response);
  };
  await scanned(listening, document);
  expect([...sent].filter((address) => !address.endsWith(".invalid"))).toEqual([]);
});

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? {} : (value as Readonly<Record<string, unknown>>);
  } catch {
    return undefined;
  }
}
