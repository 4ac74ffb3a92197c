import { describe, expect, test } from "vitest";
import { impatientApi } from "./testing/impatient-api.ts";
import { VALID, authorization, get, post } from "./testing/raw-requests.ts";
import { askRaw } from "./testing/requests.ts";
import { expectError, expectStandardHeaders } from "./testing/standard-headers.ts";

const service = impatientApi();

describe("an unusual request that is valid gets its response", () => {
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
    const response = await askRaw(service().api.port, bytes(service().key));
    // An interim 100 comes first where it was asked for.
    if (response.status === 100) expect(response.text).toMatch(/^HTTP\/1\.1 200 /);
    else {
      expect(response.status, response.text).toBe(200);
      expectStandardHeaders(response);
    }
  });

  test("a request refused before its body is wanted gets no 100-continue", async () => {
    const bytes = post(VALID, { headers: "Expect: 100-continue\r\n" })("none").toString();
    expectError(
      await askRaw(service().api.port, bytes.slice(0, bytes.indexOf("\r\n\r\n") + 4)),
      401,
      "unauthorized",
    );
  });
});
