import { describe, expect, test } from "vitest";
import type { Exchange, Outage, Received, Stream } from "./facts.ts";
import { brokenStreams, unexplainedResponses } from "./responses.ts";

const SECOND = 1_000;
const outages: readonly Outage[] = [
  { component: "Redis", from: 60 * SECOND, to: 80 * SECOND },
  { component: "PostgreSQL", from: 100 * SECOND, to: 120 * SECOND },
  { component: "service", service: 0, from: 200 * SECOND, to: 205 * SECOND },
];
const response = (status: number, code?: string, over: Partial<Received> = {}): Received => ({
  ...{ status, code, hasRetryAfter: status === 429 || status === 503, hasLocation: false },
  ...over,
});
const exchangeAt = (second: number, got: Exchange["response"], over: Partial<Exchange> = {}): Exchange => ({
  ...{ client: "list", what: "GET /v1/scans", service: 0, response: got, expected: [] },
  ...{ from: second * SECOND, to: (second + 1) * SECOND },
  ...over,
});

describe("a response", () => {
  test.each<[string, Exchange]>([
    ["a success", exchangeAt(10, response(200))],
    ["the limit of a plan", exchangeAt(10, response(429, "rate_limit_exceeded"))],
    [
      "an error that the client expects",
      exchangeAt(10, response(404, "not_found"), { expected: ["not_found"] }),
    ],
    ["a failed scan", exchangeAt(10, response(500, "scan_failed", { hasLocation: true }))],
    ["503 while PostgreSQL is down", exchangeAt(110, response(503, "unavailable"))],
    ["503 shortly after", exchangeAt(128, response(503, "unavailable"))],
    ["503 of a service that starts", exchangeAt(204, response(503, "unavailable"))],
    ["503 of a service that has just started", exchangeAt(213, response(503, "unavailable"))],
    ["no response of a service that was killed", exchangeAt(199.5, "lost")],
  ])("%s is explained", (_name, exchange) => {
    expect(unexplainedResponses([exchange], outages)).toEqual([]);
  });

  test.each<[string, Exchange]>([
    ["a bug", exchangeAt(10, response(500, "internal"))],
    ["a bug during an outage", exchangeAt(110, response(500, "internal"))],
    ["503 without an outage", exchangeAt(10, response(503, "unavailable"))],
    ["503 while only Redis is down", exchangeAt(70, response(503, "unavailable"))],
    ["503 long after the outage", exchangeAt(140, response(503, "unavailable"))],
    ["503 without Retry-After", exchangeAt(110, response(503, "unavailable", { hasRetryAfter: false }))],
    ["503 of a service that started long ago", exchangeAt(216, response(503, "unavailable"))],
    ["no response of a service that runs again", exchangeAt(207, "lost")],
    ["503 of the service that was not killed", exchangeAt(204, response(503, "unavailable"), { service: 1 })],
    [
      "429 without Retry-After",
      exchangeAt(10, response(429, "rate_limit_exceeded", { hasRetryAfter: false })),
    ],
    ["a failed scan without its Location", exchangeAt(10, response(500, "scan_failed"))],
    ["a scan that is not found", exchangeAt(10, response(404, "not_found"))],
    ["an error without a code", exchangeAt(10, response(502))],
    ["no response of a service that runs", exchangeAt(10, "lost")],
    ["no response while PostgreSQL is down", exchangeAt(110, "lost")],
    ["no response of the other service", exchangeAt(202, "lost", { service: 1 })],
    ["no response in time, even in an outage", exchangeAt(202, "late")],
  ])("%s is reported", (_name, exchange) => {
    expect(unexplainedResponses([exchange], outages)).toHaveLength(1);
  });
});

describe("an event stream", () => {
  const streamAt = (second: number, over: Partial<Stream> = {}): Stream => ({
    ...{ scan: "scan-1", service: 0, from: second * SECOND, to: (second + 20) * SECOND },
    ...{ end: "completed", isSilent: false },
    ...over,
  });

  test.each<[string, Stream, number]>([
    ["that ended with the scan is right", streamAt(10), 0],
    ["that its service's end interrupted is right", streamAt(190, { end: undefined }), 0],
    ["that ended early is reported", streamAt(10, { end: undefined }), 1],
    ["that ended early while PostgreSQL was down is reported", streamAt(110, { end: undefined }), 1],
    [
      "that ended early when another service was killed is reported",
      streamAt(190, { end: undefined, service: 1 }),
      1,
    ],
    ["that fell silent is reported, even in an outage", streamAt(190, { end: undefined, isSilent: true }), 1],
  ])("%s", (_name, stream, violations) => {
    expect(brokenStreams([stream], outages)).toHaveLength(violations);
  });
});
