import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import oidcMetadata from "./oidc-metadata.ts";

const safe = {
  issuer: "https://login.test",
  authorization_endpoint: "https://login.test/authorize",
  jwks_uri: "https://login.test/jwks",
  response_types_supported: ["code", "code id_token"],
  id_token_signing_alg_values_supported: ["RS256"],
  code_challenge_methods_supported: ["S256"],
};
const publishing = (changes: object) =>
  fakeApi({ "GET /.well-known/openid-configuration": { json: { ...safe, ...changes } } });

testCheck(oidcMetadata, {
  positive: [
    {
      name: "unsigned id tokens",
      target: publishing({ id_token_signing_alg_values_supported: ["RS256", "none"] }),
      finding: { severity: "medium" },
      count: 1,
    },
    {
      name: "an endpoint without TLS",
      target: publishing({ token_endpoint: "http://login.test/token" }),
      finding: { severity: "medium" },
    },
    {
      name: "the implicit flow",
      target: publishing({ response_types_supported: ["code", "id_token token"] }),
      finding: { severity: "low" },
    },
    {
      name: "proof keys that prove nothing",
      target: publishing({ code_challenge_methods_supported: ["plain"] }),
      finding: { severity: "low" },
    },
  ],
  negative: [
    { name: "metadata of current practice", target: publishing({}) },
    {
      name: "clients without a secret, unsigned request objects and addresses of this machine",
      target: publishing({
        token_endpoint_auth_methods_supported: ["none"],
        request_object_signing_alg_values_supported: ["none"],
        token_endpoint: "http://localhost:8080/token",
      }),
    },
  ],
  inconclusive: [
    { name: "a host without metadata", target: fakeApi({}) },
    {
      name: "an app that responds to every path",
      target: fakeApi({ "* *": { json: { issuer: "nobody" } } }),
    },
    {
      name: "a fault",
      target: fakeApi({ "GET /.well-known/openid-configuration": { status: 500, body: "" } }),
    },
  ],
});
