import type { Caller } from "@glovebox/contract";
import { describe, expect, it } from "vitest";
import { anOperation, aResponse } from "../testing/samples.ts";
import type { ProbeRequest } from "../transport/exchange.ts";
import { verifyIdentities } from "./verify.ts";

const alice: Caller = { name: "alice", role: "user" };
const operations = [
  "/api/orders",
  "/api/orders/open",
  "/api/orders/late",
  "/api/desk/tickets",
  "/health",
].map((path) => anOperation({ path }));

/** An API that asks anonymous callers for credentials but for its health, and responds to alice by the path. */
const api =
  (statusFor: (path: string) => number) =>
  (request: ProbeRequest): Promise<ReturnType<typeof aResponse>> => {
    const { pathname } = new URL(request.url);
    const ofGuarded = request.as === "alice" ? statusFor(pathname) : 401;
    return Promise.resolve(aResponse({ request, status: pathname === "/health" ? 200 : ofGuarded }));
  };

const verify = (statusFor: (path: string) => number): Promise<void> =>
  verifyIdentities([alice], { operations, send: api(statusFor) });

describe("an identity", () => {
  it.each<[string, (path: string) => number]>([
    ["that may read", () => 200],
    ["that may read nothing, but is known", () => 403],
    ["of one part of the API", (path) => (path.includes("/desk/") ? 200 : 401)],
  ])("%s is accepted", async (_, statusFor) => {
    await expect(verify(statusFor)).resolves.toBeUndefined();
  });

  it("an identity of a part that redirects anonymous callers to a sign-in is accepted", async () => {
    const send = (request: ProbeRequest) => {
      const isDesk = request.url.includes("/desk/");
      const status = isDesk ? (request.as === "alice" ? 200 : 303) : 401;
      return Promise.resolve(aResponse({ request, status }));
    };
    await expect(verifyIdentities([alice], { operations, send })).resolves.toBeUndefined();
  });

  it("an identity that gets 401 from every part is rejected, with the response", async () => {
    await expect(verify(() => 401)).rejects.toThrow("Identity alice: GET /api/desk/tickets returned 401");
  });

  it("an identity of an API that asks nobody for credentials is accepted", async () => {
    const send = (request: ProbeRequest) => Promise.resolve(aResponse({ request, status: 200 }));
    await expect(verifyIdentities([alice], { operations, send })).resolves.toBeUndefined();
  });
});
