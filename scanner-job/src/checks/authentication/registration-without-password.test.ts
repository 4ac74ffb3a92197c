import { instancesOf } from "@glovebox/domain";
import { expect, test } from "vitest";
import unvalidatedWrite from "../input-validation/unvalidated-write.ts";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { scanWith } from "../../testing/test-check.ts";
import accountEnumeration from "./account-enumeration.ts";
import registrationWithoutPassword from "./registration-without-password.ts";

const names = ["username", "password"];
const document = apiDocument({
  "/register": {
    post: {
      requestBody: {
        required: true,
        content: {
          "application/json": {
            schema: {
              type: "object",
              required: names,
              properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
            },
          },
        },
      },
    },
  },
});

/** What is said of a registration with this response, to which another check sends a request. */
async function scanOf(response: FakeResponse) {
  const report = await scanWith([accountEnumeration, registrationWithoutPassword, unvalidatedWrite], {
    name: "a registration",
    document,
    target: fakeApi({ "GET /": { json: {} }, "POST /register": response }),
  });
  const summary = report.checks.find(({ check }) => check === registrationWithoutPassword.id)!;
  return { found: report.findings.flatMap(instancesOf), summary, sideEffects: report.sideEffects };
}

test.each<[string, FakeResponse, "firm" | "tentative"]>([
  ["with the account is firm", { status: 201, json: { id: 41 } }, "firm"],
  ["with a bare acknowledgement is tentative", { json: { ok: true } }, "tentative"],
  ["with a redirect to the account is firm", { status: 303, headers: { location: "/accounts/41" } }, "firm"],
])("a registration that responds to a body without a password %s", async (_, response, confidence) => {
  const { found, sideEffects } = await scanOf(response);
  expect(found).toMatchObject([
    {
      check: "authentication/registration-without-password",
      ...{ severity: "high", confidence, location: { method: "POST", path: "/register" } },
      evidence: { exchanges: [{ role: "control" }, { role: "attack", request: { body: "[]" } }] },
    },
  ]);
  expect(sideEffects).toMatchObject([{ operation: { method: "POST", path: "/register" }, cleaned: false }]);
});

test("a registration that rejects such a body passes", async () => {
  const { found, summary, sideEffects } = await scanOf({
    status: 422,
    json: { error: "username is required" },
  });
  expect(found).toEqual([]);
  expect(summary).toMatchObject({ passed: 1, failed: 0 });
  expect(sideEffects).toEqual([]);
});

test.each<[string, FakeResponse]>([
  ["fails", { status: 500, json: { error: "Internal" } }],
  ["is behind credentials", { status: 401, json: { error: "Unauthorized" } }],
  ["does not exist", { status: 404, json: { error: "Not found" } }],
])("of a registration that %s nothing is said", async (_, response) => {
  const { found, summary } = await scanOf(response);
  expect(found).toEqual([]);
  expect(summary).toMatchObject({ passed: 0, failed: 0 });
});
