import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testDatabase, type TestDatabase } from "./testing/database.ts";
import { newAccount, startTestApi, type TestApi } from "./testing/harness.ts";
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

const authorization = () => `Authorization: Bearer ${key}\r\n`;
const JSON_TYPE = "Content-Type: application/json\r\n";
const VALID = '{"url":"https://example.com"}';

interface Post {
  readonly type?: string;
  readonly headers?: string;
  readonly length?: number;
}
/** A POST whose bytes are all ours. */
function post(body: string | Buffer, { type = JSON_TYPE, headers = "", length }: Post = {}): Buffer {
  const bytes = Buffer.from(body);
  const framing = headers.includes("Transfer-Encoding")
    ? ""
    : `Content-Length: ${length ?? bytes.length}\r\n`;
  const head = `POST /v1/scan HTTP/1.1\r\nHost: x\r\nConnection: close\r\nPrefer: respond-async\r\n`;
  return Buffer.concat([Buffer.from(`${head}${authorization()}${type}${framing}${headers}\r\n`), bytes]);
}
const get = (path: string, headers = "", method = "GET"): string =>
  `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${authorization()}${headers}\r\n`;

type Row = readonly [name: string, bytes: () => string | Buffer, status: number, code: string];

const bodies: readonly Row[] = [
  ["an empty body", () => post(""), 400, "invalid_request"],
  ["blanks", () => post("  \n"), 400, "invalid_request"],
  ["half an object", () => post('{"url":'), 400, "invalid_request"],
  ["a trailing comma", () => post('{"url":"https://example.com",}'), 400, "invalid_request"],
  ["two documents", () => post(`${VALID}${VALID}`), 400, "invalid_request"],
  ["single quotes", () => post("{'url':'https://example.com'}"), 400, "invalid_request"],
  ["a byte order mark", () => post(`\ufeff${VALID}`), 400, "invalid_request"],
  ["invalid UTF-8", () => post(Buffer.from([0x7b, 0xff, 0x7d])), 400, "invalid_request"],
  ["UTF-16", () => post(Buffer.from(VALID, "utf16le")), 400, "invalid_request"],
  ["a raw NUL", () => post('{"url":"https://example.com\0"}'), 400, "invalid_request"],
  ["null", () => post("null"), 400, "invalid_request"],
  ["an array", () => post(`[${VALID}]`), 400, "invalid_request"],
  ["a number", () => post("1e999"), 400, "invalid_request"],
  ["a string", () => post('"https://example.com"'), 400, "invalid_request"],
  ["a doubled url", () => post('{"url":"https://a.com","url":"https://b.com"}'), 400, "invalid_request"],
  [
    "a url doubled by an escape",
    () => post('{"url":"https://a.com","\\u0075rl":"https://b.com"}'),
    400,
    "invalid_request",
  ],
  [
    "an unknown field",
    () => post('{"url":"https://a.com","specURL":"https://a.com"}'),
    400,
    "invalid_request",
  ],
  [
    "__proto__",
    () => post('{"url":"https://a.com","__proto__":{"context":"public"}}'),
    400,
    "invalid_request",
  ],
  ["constructor", () => post('{"url":"https://a.com","constructor":{}}'), 400, "invalid_request"],
  ["deep nesting", () => post(`${"[".repeat(30_000)}${"]".repeat(30_000)}`), 400, "invalid_request"],
  ["no url", () => post("{}"), 400, "invalid_url"],
  ["a url of another type", () => post('{"url":["https://example.com"]}'), 400, "invalid_url"],
  ["an http url", () => post('{"url":"http://example.com"}'), 400, "invalid_url"],
  ["a file url", () => post('{"url":"file:///etc/passwd"}'), 400, "invalid_url"],
  ["a url with a user name", () => post('{"url":"https://a@example.com"}'), 400, "invalid_url"],
  ["a lone surrogate in the url", () => post('{"url":"https://example.com/\\ud800"}'), 400, "invalid_url"],
  ["an escaped NUL in the url", () => post('{"url":"https://example.com/\\u0000"}'), 400, "invalid_url"],
  ["a very long url", () => post(`{"url":"https://example.com/${"a".repeat(3000)}"}`), 400, "invalid_url"],
  ["loopback", () => post('{"url":"https://127.0.0.1"}'), 400, "invalid_url"],
  ["loopback as a number", () => post('{"url":"https://2130706433"}'), 400, "invalid_url"],
  ["localhost", () => post('{"url":"https://localhost:8443"}'), 400, "invalid_url"],
  ["the metadata address", () => post('{"url":"https://169.254.169.254/"}'), 400, "invalid_url"],
  ["a private specUrl", () => post('{"url":"https://a.com","specUrl":"https://[::1]/"}'), 400, "invalid_url"],
  ["a null specUrl", () => post('{"url":"https://a.com","specUrl":null}'), 400, "invalid_url"],
  ["a wrong context", () => post('{"url":"https://a.com","context":"Public"}'), 400, "invalid_context"],
  ["a null context", () => post('{"url":"https://a.com","context":null}'), 400, "invalid_context"],
  ["64 KiB and a byte", () => post(`"${"a".repeat(65_535)}"`), 413, "payload_too_large"],
  ["a gigabyte announced", () => post("{", { length: 1e9 }), 413, "payload_too_large"],
  [
    "70 KiB in chunks",
    () => post(`11800\r\n${"a".repeat(0x11800)}\r\n0\r\n\r\n`, { headers: "Transfer-Encoding: chunked\r\n" }),
    413,
    "payload_too_large",
  ],
  ["no content type", () => post(VALID, { type: "" }), 415, "unsupported_media_type"],
  [
    "a form",
    () => post("url=x", { type: "Content-Type: application/x-www-form-urlencoded\r\n" }),
    415,
    "unsupported_media_type",
  ],
  ["text/plain", () => post(VALID, { type: "Content-Type: text/plain\r\n" }), 415, "unsupported_media_type"],
  [
    "latin-1",
    () => post(VALID, { type: "Content-Type: application/json; charset=iso-8859-1\r\n" }),
    415,
    "unsupported_media_type",
  ],
  ["gzip", () => post("x", { headers: "Content-Encoding: gzip\r\n" }), 415, "unsupported_media_type"],
];

const heads: readonly Row[] = [
  ["bytes that are not HTTP", () => "\x16\x03\x01\x02\x00 hello\r\n\r\n", 400, "invalid_request"],
  ["HTTP/2's preface", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "invalid_request"],
  ["a header without a colon", () => get("/v1/scans", "Broken\r\n"), 400, "invalid_request"],
  ["a NUL in a header", () => get("/v1/scans", "X-A: a\0b\r\n"), 400, "invalid_request"],
  ["a folded header", () => get("/v1/scans", "X-A: a\r\n b\r\nBroken\r\n"), 400, "invalid_request"],
  [
    "both lengths",
    () => post(VALID, { headers: "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n" }),
    400,
    "invalid_request",
  ],
  ["two lengths", () => post(VALID, { headers: "Content-Length: 5\r\n" }), 400, "invalid_request"],
  [
    "a bad chunk",
    () => post("zz\r\n", { headers: "Transfer-Encoding: chunked\r\n" }),
    400,
    "invalid_request",
  ],
  ["17 KiB of headers", () => get("/v1/scans", `X-A: ${"a".repeat(17_000)}\r\n`), 400, "invalid_request"],
  ["a path of 20 KiB", () => get(`/v1/${"a".repeat(20_000)}`), 400, "invalid_request"],
  [
    "no Host",
    () => `GET /v1/scans HTTP/1.1\r\nConnection: close\r\n${authorization()}\r\n`,
    400,
    "invalid_request",
  ],
  ["another expectation", () => get("/v1/scans", "Expect: 200-maybe\r\n"), 400, "invalid_request"],
  ["headers that stop", () => "GET /v1/scans HTTP/1.1\r\nHost: x\r\nX-Slow: ", 400, "invalid_request"],
  ["a body that stops", () => post('{"url":', { length: 100 }), 400, "invalid_request"],
  [
    "an odd Idempotency-Key",
    () => post(VALID, { headers: "Idempotency-Key: a b\r\n" }),
    400,
    "invalid_request",
  ],
  [
    "an empty Idempotency-Key",
    () => post(VALID, { headers: "Idempotency-Key: \r\n" }),
    400,
    "invalid_request",
  ],
  [
    "an Idempotency-Key of 256",
    () => post(VALID, { headers: `Idempotency-Key: ${"k".repeat(256)}\r\n` }),
    400,
    "invalid_request",
  ],
  ["an unknown path", () => get("/v1/nothing"), 404, "not_found"],
  ["an unknown path outside /v1", () => get("/admin"), 404, "not_found"],
  ["a trailing slash", () => get("/v1/scans/"), 404, "not_found"],
  ["upper case", () => get("/v1/SCANS"), 404, "not_found"],
  ["a doubled slash", () => get("//v1/scans"), 404, "not_found"],
  ["a way up", () => get("/v1/docs/../../etc/passwd"), 404, "not_found"],
  ["an encoded way up", () => get("/v1/docs/..%2f..%2fpackage.json"), 404, "not_found"],
  ["another file of the docs package", () => get("/v1/docs/package.json"), 404, "not_found"],
  ["a member of Object.prototype", () => get("/v1/docs/constructor"), 404, "not_found"],
  ["PUT", () => get("/v1/scan", "", "PUT"), 405, "method_not_allowed"],
  ["GET of /v1/scan", () => get("/v1/scan"), 405, "method_not_allowed"],
  ["OPTIONS", () => get("/v1/scans", "", "OPTIONS"), 405, "method_not_allowed"],
  ["TRACE", () => get("/v1/scans", "", "TRACE"), 405, "method_not_allowed"],
  ["CONNECT", () => get("example.com:443", "", "CONNECT"), 405, "method_not_allowed"],
  ["POST of the document", () => get("/v1/openapi.json", "", "POST"), 405, "method_not_allowed"],
  ["limit=0", () => get("/v1/scans?limit=0"), 400, "invalid_request"],
  ["limit=-1", () => get("/v1/scans?limit=-1"), 400, "invalid_request"],
  ["limit=1.5", () => get("/v1/scans?limit=1.5"), 400, "invalid_request"],
  ["an empty limit", () => get("/v1/scans?limit="), 400, "invalid_request"],
  ["limit=1e1", () => get("/v1/scans?limit=1e1"), 400, "invalid_request"],
  ["two limits", () => get("/v1/scans?limit=1&limit=2"), 400, "invalid_request"],
  ["offset=-1", () => get("/v1/scans?offset=-1"), 400, "invalid_request"],
  ["an offset beyond counting", () => get("/v1/scans?offset=99999999999999999999"), 400, "invalid_request"],
  ["offset=%00", () => get("/v1/scans?offset=%00"), 400, "invalid_request"],
];

describe("a malformed, huge, slow or odd request gets its code, with every header", () => {
  test.each([...bodies, ...heads])("%s", async (_name, bytes, status, code) => {
    expectError(await askRaw(api.port, bytes()), status, code);
  });

  test("and none of them started a scan, or made the service log a fault", () => {
    expect(api.launched).toEqual([]);
    expect(api.log.filter((line) => line.includes("unexpected failure"))).toEqual([]);
  });
});

describe("an unusual request that is right is answered", () => {
  const fine: readonly (readonly [string, () => string | Buffer])[] = [
    ["charset=UTF-8", () => post(VALID, { type: 'Content-Type: Application/JSON; charset="UTF-8"\r\n' })],
    [
      "a body in chunks",
      () => post("1d\r\n" + VALID + "\r\n0\r\n\r\n", { headers: "Transfer-Encoding: chunked\r\n" }),
    ],
    ["an expectation of 100-continue", () => post(VALID, { headers: "Expect: 100-continue\r\n" })],
    ["an unknown preference", () => post(VALID, { headers: 'Prefer: foo; bar="a,b"\r\n' })],
    ["HTTP/1.0 without Host", () => `GET /v1/scans HTTP/1.0\r\n${authorization()}\r\n`],
    ["an absolute address", () => get("http://x/v1/scans?limit=1000")],
    ["a lower-case scheme", () => get("/v1/scans").replace("Bearer", "bEARER")],
    ["an unknown parameter", () => get("/v1/scans?colour=blue")],
  ];
  test.each(fine)("%s", async (_name, bytes) => {
    const answer = await askRaw(api.port, bytes());
    // An interim 100 comes first where it was asked for.
    if (answer.status === 100) expect(answer.text).toMatch(/^HTTP\/1\.1 200 /);
    else {
      expect(answer.status, answer.text).toBe(200);
      expectStandardHeaders(answer);
    }
  });

  test("a request refused before its body is wanted gets no 100-continue", async () => {
    const bytes = post(VALID, { headers: "Expect: 100-continue\r\n" })
      .toString()
      .replace(/gbx_\w+/, "none");
    expectError(await askRaw(api.port, bytes.slice(0, bytes.indexOf("\r\n\r\n") + 4)), 401, "unauthorized");
  });
});
