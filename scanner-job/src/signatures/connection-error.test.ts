import { expect, it } from "vitest";
import { connectionError } from "./connection-error.ts";

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
