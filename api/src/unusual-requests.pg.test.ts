import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestApi } from "./testing/harness.ts";
import { VALID, authorization, get, post } from "./testing/raw-requests.ts";
import { askRaw } from "./testing/requests.ts";
import { expectError, expectStandardHeaders } from "./testing/standard-headers.ts";

let database: TestDatabase;
let api: TestApi;
let key: string;

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi({
    databaseUrl: database.url,
    settings: { headersTimeoutMs: 300, requestTimeoutMs: 600 },
  });
  ({ key } = await newAccount(api.store));
});
afterAll(async () => {
  await api.close();
  await database.drop();
});

describe("an unusual request that is right is answered", () => {
  const fine: readonly (readonly [string, (key: string) => string | Buffer])[] = [
    ["charset=UTF-8", post(VALID, { type: 'Content-Type: Application/JSON; charset="UTF-8"\r\n' })],
    [
      "a body in chunks",
      post("1d\r\n" + VALID + "\r\n0\r\n\r\n", { headers: "Transfer-Encoding: chunked\r\n" }),
    ],
    ["an expectation of 100-continue", post(VALID, { headers: "Expect: 100-continue\r\n" })],
    ["an unknown preference", post(VALID, { headers: 'Prefer: foo; bar="a,b"\r\n' })],
    ["HTTP/1.0 without Host", (key) => `GET /v1/scans HTTP/1.0\r\n${authorization(key)}\r\n`],
    ["an absolute address", get("http://x/v1/scans?limit=1000")],
    ["a lower-case scheme", (own) => get("/v1/scans")(own).replace("Bearer", "bEARER")],
    ["an unknown parameter", get("/v1/scans?colour=blue")],
  ];
  test.each(fine)("%s", async (_name, bytes) => {
    const answer = await askRaw(api.port, bytes(key));
    // An interim 100 comes first where it was asked for.
    if (answer.status === 100) expect(answer.text).toMatch(/^HTTP\/1\.1 200 /);
    else {
      expect(answer.status, answer.text).toBe(200);
      expectStandardHeaders(answer);
    }
  });

  test("a request refused before its body is wanted gets no 100-continue", async () => {
    const bytes = post(VALID, { headers: "Expect: 100-continue\r\n" })("none").toString();
    expectError(await askRaw(api.port, bytes.slice(0, bytes.indexOf("\r\n\r\n") + 4)), 401, "unauthorized");
  });
});
