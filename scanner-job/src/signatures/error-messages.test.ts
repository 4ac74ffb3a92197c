import { expect, it, describe } from "vitest";
import { stackTraceIn, upstreamErrorIn, connectionError } from "./error-messages.ts";

describe("stackTraceIn", () => {
  it.each([
    ["Java", "java.lang.NumberFormatException\n\tat com.acme.Users.find(Users.java:42)"],
    [".NET", "   at Acme.Users.Find(Int32 id) in C:\\src\\Users.cs:line 12"],
    ["Node.js", "TypeError: x\n    at find (/srv/app/users.js:10:5)"],
    ["Node.js", "TypeError: x\n    at e (/static/js/app.js:1:2)\n    at find (/srv/app/users.js:10:5)"],
    ["Node.js", "TypeError: x\n    at find (/usr/src/app/public/users.js:10:5)"],
    ["Node.js", "TypeError: x\n    at file:///srv/app/users.js:10:5"],
    ["Node.js", JSON.stringify({ stack: "Error: x\n    at async Users.find (/srv/users.ts:1:2)" })],
    ["Node.js", JSON.stringify({ stacktrace: ["Error: x", "    at Object.find (/srv/users.ts:1:2)"] })],
    ["Python", 'Traceback (most recent call last):\n  File "/srv/app.py", line 3, in find'],
    ["PHP", "<b>Fatal error</b>: Uncaught Error in <b>/var/www/a.php</b> on line <b>3</b>"],
    ["Ruby", "app/models/user.rb:12:in `find'"],
    ["Go", "goroutine 7 [running]:\nmain.find()"],
    ["Rust", "thread 'main' panicked at src/main.rs:4:10"],
  ])("knows a trace of %s", (writer, text) => {
    expect(stackTraceIn(text)).toBe(writer);
  });

  it.each([
    "Meet us at the clinic (main entrance) at 10:30",
    '{"error": "id must be a number"}',
    "The file users.java was not found",
    "at /v2/users:1",
    "TypeError: x\n    at render (/static/js/app.js:12:3)\n    at /static/js/main.js:1:1",
    "TypeError: x\n    at render (/shop/assets/app.js?v=3:12:3)",
    "TypeError: x\n    at e (/main.3f9a1c2b.js:2:14033)\n    at t (/vendor/jquery.min.js:2:9)",
    "TypeError: x\n    at render (webpack:///./src/app.js:12:3)\n    at https://a.example/app.js:1:1",
  ])("stackTraceIn does not match common words: %s", (text) => {
    expect(stackTraceIn(text)).toBeUndefined();
  });
});

describe("upstreamErrorIn", () => {
  it.each([
    ["<Error><Code>NoSuchKey</Code><Message>No</Message><RequestId>4442</RequestId></Error>", "AWS"],
    ['{"__type":"com.amazonaws.dynamodb.v20120810#ValidationException"}', "AWS"],
    ['{"type":"StripeInvalidRequestError"}', "Stripe"],
    ['{"stack":"AxiosError: Request failed with status code 400"}', "axios"],
    ["HTTPSConnectionPool(host='billing.internal', port=443): Max retries exceeded", "requests"],
    ['{"error":"Get \\"http://billing/7\\": dial tcp: lookup billing: no such host"}', "Go"],
    ['I/O error on GET request for "http://billing/7"', "Spring"],
    ["upstream connect error or disconnect/reset before headers. reset reason: timeout", "Envoy"],
    ["cURL error 6: Could not resolve host", "cURL"],
  ])("upstreamErrorIn in %s is from %s", (text, name) => {
    expect(upstreamErrorIn(text)).toBe(name);
  });

  it.each([
    '{"error":"Payments with Stripe are not possible now"}',
    '{"error":"The request failed"}',
    "<Error><Code>17</Code></Error>",
    '{"code":"VALIDATION_FAILED","requestId":"8f2"}',
    "<html><h1>502 Bad Gateway</h1></html>",
    "",
  ])("upstreamErrorIn in %s is none", (text) => {
    expect(upstreamErrorIn(text)).toBeUndefined();
  });
});

it.each([
  ["connect ECONNREFUSED 127.0.0.1:1", "refused"],
  ["dial tcp 127.0.0.1:1: connect: connection refused", "refused"],
  ["java.net.ConnectException: Connection refused", "refused"],
  ["getaddrinfo ENOTFOUND a.invalid", "unresolved"],
  ["curl: (6) Could not resolve host: a.invalid", "unresolved"],
  ["Max retries exceeded: NewConnectionError(... Name or service not known)", "unresolved"],
  ["The address is not allowed", undefined],
  ["Invalid URL", undefined],
])("%s means %s", (text, expected) => expect(connectionError(text)).toBe(expected));
