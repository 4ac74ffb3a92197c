import { describe, expect, it } from "vitest";
import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { sessionApi } from "../../testing/session-api.ts";
import { scanWith, testCheck } from "../../testing/test-check.ts";
import { signsOut } from "../../attacks/sessions.ts";
import { CHECKS } from "../index.ts";
import sessionAfterSignOut from "./session-after-sign-out.ts";

const document = apiDocument(
  { "/sign-out": { post: {} }, "/sign-in": { post: {} }, "/orders": { get: {} } },
  BEARER,
);
const login = {
  operation: "POST /sign-in",
  body: { email: "ann@larkfield.test", password: "correct-horse" },
};
const identities = [{ name: "ann", login }];

testCheck(sessionAfterSignOut, {
  positive: [
    {
      name: "a token that is only forgotten by the client",
      document,
      identities,
      target: sessionApi({ forgets: false }).target,
      finding: {
        severity: "medium",
        confidence: "confirmed",
        location: { method: "POST", path: "/sign-out" },
      },
      count: 1,
    },
    {
      name: "a sign-out beside the sign-in that no document describes",
      document: apiDocument({ "/orders": { get: {} } }, BEARER),
      identities,
      target: sessionApi({ forgets: false }).target,
    },
    {
      name: "a token that is valid for minutes only as low",
      document,
      identities,
      target: sessionApi({ forgets: false, expiresIn: 600 }).target,
      finding: { severity: "low" },
    },
    {
      name: "a cookie that is only deleted in the browser",
      document,
      identities,
      target: sessionApi({ forgets: false, by: "cookie" }).target,
    },
  ],
  negative: [
    { name: "a token that is revoked", document, identities, target: sessionApi({}).target },
    { name: "a cookie that is revoked", document, identities, target: sessionApi({ by: "cookie" }).target },
  ],
  inconclusive: [
    {
      name: "an API without a sign-out",
      document: apiDocument({ "/orders": { get: {} } }, BEARER),
      identities,
      target: sessionApi({ signsOut: false }).target,
    },
    {
      name: "a sign-out that fails",
      document,
      identities,
      target: sessionApi({ signOutStatus: 500 }).target,
    },
    {
      name: "an identity with a token alone",
      document,
      identities: [{ name: "ann", headers: { authorization: "Bearer token-1-of-ann" } }],
      target: sessionApi({ issued: ["token-1-of-ann"] }).target,
    },
  ],
});

describe("the session of the scan", () => {
  it("the session of the scan is never signed out, and no token of another is in the report", async () => {
    const { target, issued, signedOut } = sessionApi({ forgets: false });
    const report = await scanWith([sessionAfterSignOut], { name: "", target, document, identities });
    expect(report.findings).toHaveLength(1);
    expect(signedOut.size).toBe(2); // once in each examination
    expect(signedOut.has([...issued][0]!)).toBe(false);
    for (const token of issued) expect(JSON.stringify(report)).not.toContain(token);
  });

  it("stays in use by the other checks", { timeout: 120_000 }, async () => {
    const { target, issued, signedOut } = sessionApi({});
    await scanWith(
      CHECKS.filter(({ category }) => category === "authentication"),
      { name: "", target, document, identities },
    );
    expect(signedOut.size).toBeGreaterThan(0);
    expect(signedOut.has([...issued][0]!)).toBe(false);
  });
});

describe("a sign-out", () => {
  it.each([
    ["POST", "/auth/logout", true],
    ["GET", "/sign-out", true],
    ["DELETE", "/session", true],
    ["DELETE", "/sessions/current", true],
    ["POST", "/auth/logout-all", false],
    ["DELETE", "/sessions/{id}", false],
    ["DELETE", "/account", false],
    ["POST", "/login", false],
  ])("%s %s: %s", (method, path, isOne) => expect(signsOut({ method, path })).toBe(isOne));
});
