import { expect, test } from "vitest";
import { impatientApi } from "./testing/impatient-api.ts";
import { VALID, post, type RawCase } from "./testing/raw-requests.ts";
import { askRaw } from "./testing/requests.ts";
import { expectError } from "./testing/standard-headers.ts";

const service = impatientApi();

const rows: readonly RawCase[] = [
  ["an empty body", post(""), 400, "invalid_request"],
  ["blanks", post("  \n"), 400, "invalid_request"],
  ["half an object", post('{"url":'), 400, "invalid_request"],
  ["a trailing comma", post('{"url":"https://example.com",}'), 400, "invalid_request"],
  ["two documents", post(`${VALID}${VALID}`), 400, "invalid_request"],
  ["single quotes", post("{'url':'https://example.com'}"), 400, "invalid_request"],
  ["a byte order mark", post(`\ufeff${VALID}`), 400, "invalid_request"],
  ["invalid UTF-8", post(Buffer.from([0x7b, 0xff, 0x7d])), 400, "invalid_request"],
  ["UTF-16", post(Buffer.from(VALID, "utf16le")), 400, "invalid_request"],
  ["a raw NUL", post('{"url":"https://example.com\0"}'), 400, "invalid_request"],
  ["null", post("null"), 400, "invalid_request"],
  ["an array", post(`[${VALID}]`), 400, "invalid_request"],
  ["a number", post("1e999"), 400, "invalid_request"],
  ["a string", post('"https://example.com"'), 400, "invalid_request"],
  ["a doubled url", post('{"url":"https://a.com","url":"https://b.com"}'), 400, "invalid_request"],
  [
    "a url doubled by an escape",
    post('{"url":"https://a.com","\\u0075rl":"https://b.com"}'),
    400,
    "invalid_request",
  ],
  ["an unknown field", post('{"url":"https://a.com","specURL":"https://a.com"}'), 400, "invalid_request"],
  ["__proto__", post('{"url":"https://a.com","__proto__":{"context":"public"}}'), 400, "invalid_request"],
  ["constructor", post('{"url":"https://a.com","constructor":{}}'), 400, "invalid_request"],
  ["deep nesting", post(`${"[".repeat(30_000)}${"]".repeat(30_000)}`), 400, "invalid_request"],
  ["no url", post("{}"), 400, "invalid_url"],
  ["a url of another type", post('{"url":["https://example.com"]}'), 400, "invalid_url"],
  ["an http url", post('{"url":"http://example.com"}'), 400, "invalid_url"],
  ["a file url", post('{"url":"file:///etc/passwd"}'), 400, "invalid_url"],
  ["a url with a user name", post('{"url":"https://a@example.com"}'), 400, "invalid_url"],
  ["a lone surrogate in the url", post('{"url":"https://example.com/\\ud800"}'), 400, "invalid_url"],
  ["an escaped NUL in the url", post('{"url":"https://example.com/\\u0000"}'), 400, "invalid_url"],
  ["a very long url", post(`{"url":"https://example.com/${"a".repeat(3000)}"}`), 400, "invalid_url"],
  ["loopback", post('{"url":"https://127.0.0.1"}'), 400, "invalid_url"],
  ["loopback as a number", post('{"url":"https://2130706433"}'), 400, "invalid_url"],
  ["localhost", post('{"url":"https://localhost:8443"}'), 400, "invalid_url"],
  ["the metadata address", post('{"url":"https://169.254.169.254/"}'), 400, "invalid_url"],
  ["a private specUrl", post('{"url":"https://a.com","specUrl":"https://[::1]/"}'), 400, "invalid_url"],
  ["a null specUrl", post('{"url":"https://a.com","specUrl":null}'), 400, "invalid_url"],
  ["a wrong context", post('{"url":"https://a.com","context":"Public"}'), 400, "invalid_context"],
  ["a null context", post('{"url":"https://a.com","context":null}'), 400, "invalid_context"],
  ["64 KiB and a byte", post(`"${"a".repeat(65_535)}"`), 413, "payload_too_large"],
  ["a gigabyte announced", post("{", { length: 1e9 }), 413, "payload_too_large"],
  [
    "70 KiB in chunks",
    post(`11800\r\n${"a".repeat(0x11800)}\r\n0\r\n\r\n`, { headers: "Transfer-Encoding: chunked\r\n" }),
    413,
    "payload_too_large",
  ],
  ["no content type", post(VALID, { type: "" }), 415, "unsupported_media_type"],
  [
    "a form",
    post("url=x", { type: "Content-Type: application/x-www-form-urlencoded\r\n" }),
    415,
    "unsupported_media_type",
  ],
  ["text/plain", post(VALID, { type: "Content-Type: text/plain\r\n" }), 415, "unsupported_media_type"],
  [
    "latin-1",
    post(VALID, { type: "Content-Type: application/json; charset=iso-8859-1\r\n" }),
    415,
    "unsupported_media_type",
  ],
  ["gzip", post("x", { headers: "Content-Encoding: gzip\r\n" }), 415, "unsupported_media_type"],
];

test.each(rows)("%s gets its code, with every header", async (_name, bytes, status, code) => {
  expectError(await askRaw(service().api.port, bytes(service().key)), status, code);
});

test("none of these starts a scan, or makes the service log a fault", () => {
  expect(service().api.launched).toEqual([]);
  expect(service().api.log.filter((line) => line.includes("unexpected failure"))).toEqual([]);
});
