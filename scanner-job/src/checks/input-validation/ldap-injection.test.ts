import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import ldapInjection from "./ldap-injection.ts";

const document = apiDocument({
  "/people/ldap-search": {
    get: {
      parameters: [{ name: "user", in: "query", required: true, schema: { type: "string" }, example: "ada" }],
    },
  },
});
const responding = (respond: (value: string) => FakeResponse) =>
  fakeApi({ "GET /people/ldap-search": ({ query }) => respond(query.get("user") ?? "") });
const entries = [
  { uid: "ada", mail: "ada@example.com" },
  { uid: "alan", mail: "alan@example.com" },
];

/** The entries that meet `(uid=VALUE)`, where VALUE may bring more conditions. */
function searched(value: string): object[] {
  const [uid = "", ...more] = value.split(")(");
  const named = entries.filter((entry) => uid === "*" || entry.uid === uid);
  return more.every((condition) => /^(objectclass|uid|mail)=\*$/i.test(condition)) ? named : [];
}

testCheck(ldapInjection, {
  positive: [
    {
      name: "a filter into which conditions are put",
      document,
      target: responding((value) => ({ json: searched(value) })),
      finding: {
        severity: "high",
        location: { method: "GET", path: "/people/ldap-search", parameter: "user" },
      },
      count: 1,
    },
    {
      name: "a filter that a parenthesis breaks",
      document,
      target: responding((value) =>
        value.includes(")")
          ? { status: 500, json: { error: "javax.naming.NamingException: [LDAP: error code 1]" } }
          : { json: [] },
      ),
      count: 1,
    },
    {
      name: "a filter of which the base value finds nothing",
      document,
      target: responding((value) => ({ json: value === "ada" ? [] : searched(value) })),
      count: 1,
    },
  ],
  negative: [
    {
      name: "a value that is escaped",
      document,
      target: responding((value) => ({ json: entries.filter(({ uid }) => uid === value) })),
    },
    {
      name: "a rule that requires a digit",
      document,
      target: responding((value) => ({ json: { valid: value === "ada" || !/\d/.test(value) } })),
    },
    {
      name: "a rule that limits the length",
      document,
      target: responding((value) => ({ json: { valid: value.length < 20 } })),
    },
    {
      name: "a rule about passwords, which are left alone beside a name",
      document: apiDocument({
        "/people/ldap-search": {
          get: {
            parameters: ["user", "newPassword"].map((name) => ({
              name,
              in: "query",
              required: true,
              schema: { type: "string" },
              example: "ada",
            })),
          },
        },
      }),
      target: fakeApi({
        "GET /people/ldap-search": ({ query }) => ({
          json: { strong: !/class/i.test(query.get("newPassword") ?? "") },
        }),
      }),
    },
    {
      name: "a search that takes an asterisk for any letters",
      document,
      target: responding((value) => ({ json: value === "*" ? entries : [] })),
    },
  ],
  inconclusive: [
    {
      name: "an operation behind credentials",
      document,
      target: responding(() => ({ status: 401, json: {} })),
    },
    {
      name: "a directory that is always down",
      document,
      target: responding(() => ({ status: 500, json: { error: "LDAPException" } })),
    },
    { name: "a connection that is cut", document, target: responding(() => ({ cut: true })) },
  ],
});
