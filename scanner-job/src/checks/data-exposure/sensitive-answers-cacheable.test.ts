import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import sensitiveAnswersCacheable from "./sensitive-answers-cacheable.ts";

const document = apiDocument({ "/me": { get: {} } });
const responding = (json: unknown, control?: string) =>
  fakeApi({
    "GET /": { json: {} },
    "GET /me": { json, headers: control ? { "cache-control": control } : {} },
  });

testCheck(sensitiveAnswersCacheable, {
  positive: [
    {
      name: "a date of birth that any cache may keep",
      document,
      target: responding({ dateOfBirth: "1990-01-01" }, "public, max-age=600"),
      finding: { severity: "low", location: { method: "GET", path: "/me" } },
      count: 1,
    },
    {
      name: "a date of birth of which a single header is excepted",
      document,
      target: responding({ dateOfBirth: "1990-01-01" }, 'public, no-cache="set-cookie", max-age=600'),
      finding: { severity: "low" },
    },
    {
      name: "a guarded response without a word of caches",
      document: apiDocument({ "/me": { get: {} } }, BEARER),
      target: responding({ id: 1 }),
      finding: { severity: "info" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "personal data that is not to be stored",
      document,
      target: responding({ dateOfBirth: "1990-01-01" }, "no-store"),
    },
    {
      name: "personal data for the browser alone",
      document,
      target: responding({ dateOfBirth: "1990-01-01" }, "private, max-age=60"),
    },
    {
      name: "personal data that a cache must ask the server for each time",
      document,
      target: responding({ dateOfBirth: "1990-01-01" }, "no-cache"),
    },
    {
      name: "prices that any cache may keep",
      document,
      target: responding({ price: 12 }, "public, max-age=600"),
    },
  ],
  inconclusive: [
    {
      name: "a health response without personal data",
      document: apiDocument({ "/health": { get: {} } }, BEARER),
      target: fakeApi({ "GET /health": { json: { status: "ok" } } }),
    },
    {
      name: "an app that returns its page for every path",
      document: apiDocument({ "/me": { get: {} } }, BEARER),
      target: fakeApi({ "* *": { headers: { "content-type": "text/html" }, body: "<html>app</html>" } }),
    },
    { name: "a response that needs credentials", document, target: fakeApi({ "GET /me": { status: 401 } }) },
  ],
});
