import { createDemoCertificates } from "@glovebox/demo";
import { expect } from "vitest";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import cookieSecure from "./cookie-secure.ts";

const { keyPem, certPem } = await createDemoCertificates();
const tls = { key: keyPem, cert: certPem };
const setting = (...cookies: string[]) =>
  fakeApi({ "* *": { json: {}, headers: { "set-cookie": cookies } } });

testCheck(cookieSecure, {
  positive: [
    {
      name: "a session cookie for any connection",
      target: setting("lang=en", "session=abc; Path=/; HttpOnly"),
      tls,
      finding: {
        severity: "medium",
        description: expect.stringContaining('"session" lacks Secure') as string,
      },
      count: 1,
    },
    {
      name: "a session cookie that only errors set",
      target: fakeApi({
        "GET /": { json: {} },
        "* *": { status: 404, json: {}, headers: { "set-cookie": "session=abc; HttpOnly" } },
      }),
      tls,
      finding: { location: { method: "GET", path: "/" } },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a protected session cookie beside a bare one for the language",
      target: setting("sid=abc; secure", "lang=en"),
      tls,
    },
  ],
  inconclusive: [
    { name: "no session cookie at all", target: setting("lang=en"), tls },
    { name: "a target without TLS", target: setting("session=abc") },
  ],
});
