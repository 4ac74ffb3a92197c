import type { IdentityInput, Report } from "@glovebox/contract";
import { instancesOf } from "@glovebox/domain";
import { describe, expect, it } from "vitest";
import { CHECKS } from "./checks/index.ts";
import { apiDocument } from "./testing/api-document.ts";
import { fakeApi, type Incoming } from "./testing/fake-api.ts";
import { scanWith } from "./testing/test-check.ts";

const TIMED_OUT = 120_000;
const TOKEN = "opaque-token-of-alice";
const PASSWORD = "correct-horse-battery";

const login = {
  operation: "POST /sign-in",
  body: { user: "alice", password: PASSWORD },
};
const alice: IdentityInput = { name: "alice", login };

/** An API that serves nothing without a token, and whose search concatenates SQL behind it. */
function guardedApi({ signsIn = true } = {}) {
  const isKnown = ({ headers }: Incoming): boolean => headers.authorization === `Bearer ${TOKEN}`;
  const guarded =
    (respond: (incoming: Incoming) => object) =>
    (incoming: Incoming): object =>
      isKnown(incoming) ? respond(incoming) : { status: 401, json: { error: "Sign in first" } };
  return fakeApi({
    "POST /sign-in": ({ body }) =>
      signsIn && body.includes(PASSWORD)
        ? { json: { session: { accessToken: TOKEN } } }
        : { status: 401, json: { error: "Unknown user" } },
    "GET /parcels": guarded(({ query }) =>
      (query.get("sender") ?? "").replaceAll("''", "").includes("'")
        ? { status: 500, json: { error: 'unterminated quoted string at or near "\'"', code: "42601" } }
        : { json: [{ id: 1, sender: "Ada" }] },
    ),
    "GET /whoami": guarded(({ headers }) => ({ json: { user: "alice", token: headers.authorization } })),
  });
}

const document = apiDocument({
  "/parcels": { get: { parameters: [{ name: "sender", in: "query", schema: { type: "string" } }] } },
  "/whoami": { get: {} },
});
const locationsOf = ({ findings }: Report, category: string): string[] =>
  findings
    .filter((finding) => finding.category === category)
    .flatMap(instancesOf)
    .map(({ location: { method, path, parameter = "" } }) => `${method} ${path} ${parameter}`.trim());

describe("a scan with an identity", () => {
  it(
    "finds what is behind the sign-in, and that anonymous callers are refused",
    { timeout: TIMED_OUT },
    async () => {
      const report = await scanWith(CHECKS, {
        name: "",
        target: guardedApi(),
        document,
        identities: [alice],
      });
      expect(locationsOf(report, "inputValidation")).toContain("GET /parcels sender");
      expect(locationsOf(report, "authentication")).toEqual([]);
      expect(report.anonymousAccess).toContainEqual({ path: "/parcels", methods: { GET: "refused" } });
      expect(report.coverage).toMatchObject({ operations: 1, reached: 1 });
      expect(report.identities).toEqual([{ name: "alice", role: "user" }]);
      const attack = report.findings.find(({ category }) => category === "inputValidation")!;
      expect(attack.evidence.curl).toContain(`-H "$ALICE"`);
      expect(attack.evidence.exchanges.map(({ request }) => request.caller)).toContain("alice");
      for (const secret of [TOKEN, PASSWORD, btoa(TOKEN)])
        expect(JSON.stringify(report)).not.toContain(secret);
    },
  );

  it("covers more than the same scan without one", { timeout: TIMED_OUT }, async () => {
    const [signedIn, anonymous] = await Promise.all(
      [[alice], undefined].map((identities) =>
        scanWith(CHECKS, { name: "", target: guardedApi(), document, ...(identities && { identities }) }),
      ),
    );
    expect(signedIn!.coverage.overall).toBeGreaterThan(anonymous!.coverage.overall!);
    expect(locationsOf(anonymous!, "inputValidation")).toEqual([]);
  });

  it.each<[string, IdentityInput, boolean, string]>([
    [
      "whose password is wrong",
      alice,
      false,
      'Identity alice: POST /sign-in returned 401: {"error":"Unknown user"}',
    ],
    [
      "whose token is refused everywhere",
      { name: "bob", headers: { Authorization: "Bearer expired-token" } },
      true,
      "Identity bob: GET /whoami returned 401",
    ],
  ])("%s fails at the start, with the response", async (_, identity, signsIn, message) => {
    const scan = scanWith(CHECKS, {
      name: "",
      target: guardedApi({ signsIn }),
      document,
      identities: [identity],
    });
    await expect(scan).rejects.toThrow(message);
  });
});
