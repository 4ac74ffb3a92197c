import { apiDocument, BEARER } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse, type Route } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import tokenKeyAddress from "./token-key-address.ts";

const document = apiDocument({ "/me": { get: {} } }, BEARER);
const unauthorized: FakeResponse = { status: 401, json: { error: "Unauthorized" } };

/** A verifier that fetches the key where the token's header says it is. */
const fetching =
  (member: string, respond: (host: string) => FakeResponse): Route =>
  ({ headers }) => {
    const [header = ""] = headers.authorization?.replace("Bearer ", "").split(".") ?? [];
    if (header === "") return unauthorized;
    const read = JSON.parse(Buffer.from(header, "base64url").toString()) as Record<string, string>;
    const address = read[member];
    return address === undefined ? unauthorized : respond(new URL(address).hostname);
  };
const telling = (host: string): FakeResponse => ({
  status: 500,
  json: { error: `getaddrinfo ENOTFOUND ${host}` },
});

testCheck(tokenKeyAddress, {
  positive: [
    {
      name: "a verifier that fetches keys from jku, and says why it could not",
      document,
      target: fakeApi({ "GET /me": fetching("jku", telling) }),
      finding: { severity: "high", location: { method: "GET", path: "/me" } },
      count: 1,
    },
    {
      name: "one that fetches certificates from x5u, and says so in a refusal",
      document,
      target: fakeApi({
        "GET /me": fetching("x5u", (host) => ({
          status: 401,
          json: { message: `no such host: lookup ${host}` },
        })),
      }),
    },
  ],
  negative: [
    {
      name: "a verifier that ignores the address",
      document,
      target: fakeApi({ "GET /me": fetching("jku", () => unauthorized) }),
    },
    {
      name: "one that refuses it by its host",
      document,
      target: fakeApi({
        "GET /me": fetching("jku", (host) => ({
          status: 401,
          json: { error: `${host} is no known issuer` },
        })),
      }),
    },
    {
      name: "one that cannot reach its own issuer, regardless of the token",
      document,
      target: fakeApi({
        "GET /me": { status: 401, json: { error: "getaddrinfo ENOTFOUND login.library.test" } },
      }),
    },
  ],
  inconclusive: [
    { name: "a fault", document, target: fakeApi({ "GET /me": { status: 500, json: {} } }) },
    { name: "a connection that is cut", document, target: fakeApi({ "GET /me": { cut: true } }) },
  ],
});
