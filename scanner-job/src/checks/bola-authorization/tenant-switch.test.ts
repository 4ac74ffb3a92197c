import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import type { Incoming } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import { FORBIDDEN, identityOf, usersApi, type TestUser, type UserRoute } from "../../testing/users-api.ts";
import check from "./tenant-switch.ts";

const PROJECTS: Record<string, object[]> = {
  acme: [{ id: 1, title: "Launch of the lamp" }],
  globex: [{ id: 2, title: "Merger with Initech" }],
};
const identities = [identityOf("alice", { tenant: "acme" }), identityOf("bob", { tenant: "globex" })];
const home = ({ username }: TestUser): string => (username === "alice" ? "acme" : "globex");
const projects =
  (tenantOf: (incoming: Incoming) => string | null | undefined): UserRoute =>
  (user, incoming) => {
    const known = PROJECTS[tenantOf(incoming) ?? home(user)];
    return known ? { json: known } : { status: 404, json: { error: "No such tenant" } };
  };
const document = apiDocument({ "/projects": { get: {} } });
const ofTenants = apiDocument({ "/tenants/{tenantId}/projects": { get: {} } });
const header = ({ headers }: Incoming) => headers["x-tenant-id"] as string | undefined;

testCheck(check, {
  positive: [
    {
      name: "the data of another tenant by a header",
      target: usersApi({ "GET /projects": projects(header) }),
      document,
      identities,
      finding: {
        severity: "critical",
        location: { method: "GET", path: "/projects" },
        observed: expect.stringMatching(
          /^bob got the data of the tenant of alice by the header X-Tenant-Id/,
        ) as string,
      },
    },
    {
      name: "the data of another tenant by the query",
      target: usersApi({ "GET /projects": projects(({ query }) => query.get("org")) }),
      document: apiDocument({
        "/projects": { get: { parameters: [{ name: "org", in: "query", schema: { type: "string" } }] } },
      }),
      identities,
      finding: { observed: "bob got the data of the tenant of alice by the query parameter org." },
    },
    {
      name: "the data of another tenant by the path",
      target: usersApi({ "GET /tenants/{tenantId}/projects": projects(({ params }) => params["tenantId"]) }),
      document: ofTenants,
      identities,
      finding: { location: { method: "GET", path: "/tenants/{tenantId}/projects" } },
    },
  ],
  negative: [
    {
      name: "a header that is ignored",
      target: usersApi({ "GET /projects": projects(() => undefined) }),
      document,
      identities,
    },
    {
      name: "a tenant in the path that is refused to strangers",
      target: usersApi({
        "GET /tenants/{tenantId}/projects": (user, incoming) =>
          incoming.params["tenantId"] === home(user)
            ? projects(({ params }) => params["tenantId"])(user, incoming)
            : FORBIDDEN,
      }),
      document: ofTenants,
      identities,
    },
  ],
  inconclusive: [
    {
      name: "data that is the same for all tenants",
      target: usersApi({ "GET /projects": () => ({ json: [{ id: 1, title: "Atlas" }] }) }),
      document,
      identities,
    },
    {
      name: "users of one tenant",
      target: usersApi({ "GET /projects": projects(header) }),
      document,
      identities: [identityOf("alice", { tenant: "acme" }), identityOf("bob", { tenant: "acme" })],
    },
  ],
});
