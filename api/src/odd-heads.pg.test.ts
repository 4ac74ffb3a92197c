import { expect, test } from "vitest";
import { impatientApi } from "./testing/impatient-api.ts";
import { VALID, authorization, get, post, type RawCase } from "./testing/raw-requests.ts";
import { askRaw } from "./testing/requests.ts";
import { expectError } from "./testing/standard-headers.ts";

const service = impatientApi();

const rows: readonly RawCase[] = [
  ["bytes that are not HTTP", () => "\x16\x03\x01\x02\x00 hello\r\n\r\n", 400, "invalid_request"],
  ["HTTP/2's preface", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "invalid_request"],
  ["a header without a colon", get("/v1/scans", "Broken\r\n"), 400, "invalid_request"],
  ["a NUL in a header", get("/v1/scans", "X-A: a\0b\r\n"), 400, "invalid_request"],
  ["a folded header", get("/v1/scans", "X-A: a\r\n b\r\nBroken\r\n"), 400, "invalid_request"],
  [
    "both lengths",
    post(VALID, { headers: "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n" }),
    400,
    "invalid_request",
  ],
  ["two lengths", post(VALID, { headers: "Content-Length: 5\r\n" }), 400, "invalid_request"],
  ["a bad chunk", post("zz\r\n", { headers: "Transfer-Encoding: chunked\r\n" }), 400, "invalid_request"],
  ["17 KiB of headers", get("/v1/scans", `X-A: ${"a".repeat(17_000)}\r\n`), 400, "invalid_request"],
  ["a path of 20 KiB", get(`/v1/${"a".repeat(20_000)}`), 400, "invalid_request"],
  [
    "no Host",
    (key) => `GET /v1/scans HTTP/1.1\r\nConnection: close\r\n${authorization(key)}\r\n`,
    400,
    "invalid_request",
  ],
  ["two Hosts", get("/v1/scans", "Host: y\r\n"), 400, "invalid_request"],
  ["another expectation", get("/v1/scans", "Expect: 200-maybe\r\n"), 400, "invalid_request"],
  ["headers that stop", () => "GET /v1/scans HTTP/1.1\r\nHost: x\r\nX-Slow: ", 400, "invalid_request"],
  ["a body that stops", post('{"url":', { length: 100 }), 400, "invalid_request"],
  ["an odd Idempotency-Key", post(VALID, { headers: "Idempotency-Key: a b\r\n" }), 400, "invalid_request"],
  ["an empty Idempotency-Key", post(VALID, { headers: "Idempotency-Key: \r\n" }), 400, "invalid_request"],
  [
    "an Idempotency-Key of 256",
    post(VALID, { headers: `Idempotency-Key: ${"k".repeat(256)}\r\n` }),
    400,
    "invalid_request",
  ],
  ["an unknown path", get("/v1/nothing"), 404, "not_found"],
  ["an unknown path outside /v1", get("/admin"), 404, "not_found"],
  ["a trailing slash", get("/v1/scans/"), 404, "not_found"],
  ["upper case", get("/v1/SCANS"), 404, "not_found"],
  ["a doubled slash", get("//v1/scans"), 404, "not_found"],
  ["a way up", get("/v1/docs/../../etc/passwd"), 404, "not_found"],
  ["an encoded way up", get("/v1/docs/..%2f..%2fpackage.json"), 404, "not_found"],
  ["another file of the docs package", get("/v1/docs/package.json"), 404, "not_found"],
  ["a member of Object.prototype", get("/v1/docs/constructor"), 404, "not_found"],
  ["PUT", get("/v1/scan", "", "PUT"), 405, "method_not_allowed"],
  ["GET of /v1/scan", get("/v1/scan"), 405, "method_not_allowed"],
  ["OPTIONS", get("/v1/scans", "", "OPTIONS"), 405, "method_not_allowed"],
  ["TRACE", get("/v1/scans", "", "TRACE"), 405, "method_not_allowed"],
  ["CONNECT", get("example.com:443", "", "CONNECT"), 405, "method_not_allowed"],
  ["POST of the document", get("/v1/openapi.json", "", "POST"), 405, "method_not_allowed"],
  ["limit=0", get("/v1/scans?limit=0"), 400, "invalid_request"],
  ["limit=-1", get("/v1/scans?limit=-1"), 400, "invalid_request"],
  ["limit=1.5", get("/v1/scans?limit=1.5"), 400, "invalid_request"],
  ["an empty limit", get("/v1/scans?limit="), 400, "invalid_request"],
  ["limit=1e1", get("/v1/scans?limit=1e1"), 400, "invalid_request"],
  ["two limits", get("/v1/scans?limit=1&limit=2"), 400, "invalid_request"],
  ["offset=-1", get("/v1/scans?offset=-1"), 400, "invalid_request"],
  ["an offset beyond counting", get("/v1/scans?offset=99999999999999999999"), 400, "invalid_request"],
  ["offset=%00", get("/v1/scans?offset=%00"), 400, "invalid_request"],
];

test.each(rows)("%s gets its code, with every header", async (_name, bytes, status, code) => {
  expectError(await askRaw(service().api.port, bytes(service().key)), status, code);
});

test("none of these starts a scan, or makes the service log a fault", () => {
  expect(service().api.launched).toEqual([]);
  expect(service().api.log.filter((line) => line.includes("unexpected failure"))).toEqual([]);
});
