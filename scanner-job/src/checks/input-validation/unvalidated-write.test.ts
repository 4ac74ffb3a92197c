import { instancesOf } from "@glovebox/domain";
import { expect, test } from "vitest";
import methodDifferential from "../bola-authorization/method-differential.ts";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse, type Route } from "../../testing/fake-api.ts";
import { scanWith } from "../../testing/test-check.ts";
import unvalidatedWrite from "./unvalidated-write.ts";

const body = {
  required: true,
  content: {
    "application/json": {
      schema: { type: "object", required: ["text"], properties: { text: { type: "string" } } },
    },
  },
};
const document = apiDocument({
  "/notes/{noteId}": {
    parameters: [{ name: "noteId", in: "path", required: true, schema: { type: "integer" } }],
    ...{ get: {}, put: { requestBody: body }, delete: {} },
  },
});
const unauthorized: FakeResponse = { status: 401, json: { error: "Unauthorized" } };

/** What is said of the writes to an object that cannot exist, which another check sends. */
async function scanOf(routes: Readonly<Record<string, Route>>) {
  const sent: string[] = [];
  const noting =
    (route: Route): Route =>
    (incoming) => {
      if (incoming.method !== "GET" && incoming.path.startsWith("/notes/")) sent.push(incoming.method);
      return typeof route === "function" ? route(incoming) : route;
    };
  const all = { "GET /": { json: {} }, "GET /notes/{id}": unauthorized, ...routes };
  const report = await scanWith([methodDifferential, unvalidatedWrite], {
    name: "notes",
    document,
    target: fakeApi(Object.fromEntries(Object.entries(all).map(([key, route]) => [key, noting(route)]))),
  });
  const found = report.findings.flatMap(instancesOf).filter(({ check }) => check === unvalidatedWrite.id);
  return { found, sideEffects: report.sideEffects ?? [], sent };
}

test("a PUT to an object that cannot exist which is accepted is a finding, and sent once", async () => {
  const { found, sideEffects, sent } = await scanOf({
    "PUT /notes/{id}": ({ params }) => ({ status: 201, json: { id: params["id"] } }),
    "DELETE /notes/{id}": unauthorized,
  });
  expect(found).toMatchObject([
    { severity: "medium", confidence: "firm", location: { method: "PUT", path: "/notes/{noteId}" } },
  ]);
  expect(sideEffects.map(({ operation }) => operation.method)).toEqual(["PUT"]);
  expect(sent.filter((method) => method === "PUT")).toHaveLength(1);
});

test("a DELETE of what does not exist leaves nothing behind, and is sent once", async () => {
  const { found, sideEffects, sent } = await scanOf({
    "PUT /notes/{id}": unauthorized,
    "DELETE /notes/{id}": { status: 204 },
  });
  expect({ found, sideEffects }).toEqual({ found: [], sideEffects: [] });
  expect(sent.filter((method) => method === "DELETE")).toHaveLength(1);
});

test("a host that returns the same success for every path has no finding", async () => {
  const { found } = await scanOf({ "* *": { json: { ok: true } } });
  expect(found).toEqual([]);
});
