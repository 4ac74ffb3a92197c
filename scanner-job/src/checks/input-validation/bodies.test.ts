import { expect, it } from "vitest";
import { DEFAULT_LIMITS } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { tcpReach } from "../../isolation/tcp-reach.ts";
import { examineTarget } from "../../scan.ts";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { serve } from "../../testing/serve.ts";
import sqlError from "./sql-error.ts";

/** The locations where SQL errors are found in an API with this operation, as `login username`. */
async function foundIn(
  path: string,
  mediaType: string,
  fields: readonly string[],
  parameters: object[] = [],
): Promise<string[]> {
  const schema = {
    type: "object",
    required: fields,
    properties: Object.fromEntries(fields.map((name) => [name, { type: "string" }])),
  };
  const document = apiDocument({
    [path]: {
      post: {
        parameters,
        ...(fields.length > 0 ? { requestBody: { content: { [mediaType]: { schema } } } } : {}),
        responses: {},
      },
    },
  });
  const respond = (text: string): FakeResponse =>
    text.replaceAll("''", "").includes("'")
      ? { status: 500, json: { error: 'You have an error in your SQL syntax near "\'"' } }
      : path === "/login"
        ? { status: 401, json: { error: "Wrong name or password" } }
        : { json: [] };
  const target = fakeApi({
    [`POST ${path}`]: ({ headers, body }) =>
      respond(decodeURIComponent(`${body} ${String(headers["x-trace"])} ${String(headers.cookie)}`)),
  });
  await using server = await serve(target);
  const { report } = await examineTarget(
    {
      scanId: "test",
      url: server.url,
      pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [server.port] }],
      limits: DEFAULT_LIMITS,
      spec: { from: "text", text: JSON.stringify(document) },
    },
    {
      checks: [sqlError],
      onProgress: () => {},
      onFault: (_, error) => expect.unreachable(String(error)),
      reach: tcpReach,
      families: () => new Set(),
      now: () => performance.now(),
      wait: () => Promise.resolve(),
      today: () => new Date(),
    },
    new AbortController().signal,
  );
  // One check alone may decide nothing beyond the host, which fails a scan.
  const locations = report!.findings.flatMap(instancesOf);
  return locations.map(({ location }) => `${location.path} ${location.parameter}`).toSorted();
}

const JSON_BODY = "application/json";
const FORM = "application/x-www-form-urlencoded";
const XML = "application/xml";

it.each<[string, string, string, string[], string[]]>([
  ["a member of a JSON body", "/products/search", JSON_BODY, ["term"], ["/products/search term"]],
  ["a field of a form", "/query", FORM, ["term"], ["/query term"]],
  ["an element of XML", "/people/lookup", XML, ["term"], ["/people/lookup term"]],
  [
    "the name of a sign-in, not its password",
    "/login",
    JSON_BODY,
    ["username", "password"],
    ["/login username"],
  ],
  ["nothing of an operation that writes", "/products", JSON_BODY, ["name"], []],
])("SQL is found in %s", { timeout: 60_000 }, async (_, path, mediaType, fields, locations) => {
  expect(await foundIn(path, mediaType, fields)).toEqual(locations);
});

it("SQL is found in headers and cookies", { timeout: 60_000 }, async () => {
  const parameters = [
    { name: "X-Trace", in: "header", schema: { type: "string" } },
    { name: "tenant", in: "cookie", schema: { type: "string" } },
  ];
  expect(await foundIn("/search", JSON_BODY, [], parameters)).toEqual(["/search X-Trace", "/search tenant"]);
});
