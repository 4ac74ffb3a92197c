import { describe, expect, it } from "vitest";
import { upstreamErrorIn } from "./upstream-error.ts";

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
  ])("in %s is that of %s", (text, name) => {
    expect(upstreamErrorIn(text)).toBe(name);
  });

  it.each([
    '{"error":"Payments with Stripe are not possible now"}',
    '{"error":"The request failed"}',
    "<Error><Code>17</Code></Error>",
    '{"code":"VALIDATION_FAILED","requestId":"8f2"}',
    "<html><h1>502 Bad Gateway</h1></html>",
    "",
  ])("in %s is none", (text) => {
    expect(upstreamErrorIn(text)).toBeUndefined();
  });
});
