import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sessionCookieFlags from "./session-cookie-flags.ts";

const document = apiDocument({ "/cart": { get: {} } });
const setting = (...cookies: string[]) =>
  fakeApi({ "GET /cart": { json: { items: [] }, headers: { "set-cookie": cookies } } });

testCheck(sessionCookieFlags, {
  positive: [
    {
      name: "a session cookie that scripts can read",
      document,
      target: setting("session=abcdef; Path=/; SameSite=Lax"),
      finding: {
        severity: "low",
        description: expect.stringContaining('"session" lacks HttpOnly') as string,
      },
      count: 1,
    },
    {
      name: "a bare session cookie among protected ones",
      document,
      target: setting("sid=abc; HttpOnly; SameSite=Lax", "connect.sid=s%3Aabc; Path=/"),
      count: 1,
    },
    {
      name: "a session cookie that only errors set",
      document,
      target: fakeApi({
        "GET /cart": { json: { items: [] } },
        "* *": { status: 404, json: {}, headers: { "set-cookie": "session=abc; Path=/" } },
      }),
      finding: { location: { method: "GET", path: "/" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a protected session cookie beside a bare one for the language",
      document,
      target: setting("__Host-session=abc; Path=/; Secure; httponly; samesite=strict", "lang=en"),
    },
    {
      name: "a token against forged requests, which scripts must read",
      document,
      target: setting("sessionid=abc; HttpOnly; SameSite=Lax", "session-csrf=abc"),
    },
    {
      name: "a session cookie that is deleted",
      document,
      target: setting("sid=abc; HttpOnly; SameSite=Lax", "session=; Max-Age=0", "auth=x; Max-Age=0"),
    },
  ],
  inconclusive: [
    { name: "no session cookie at all", document, target: setting("lang=en") },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /cart": { cut: true } }) },
  ],
});
