import { createDemoCertificates } from "@glovebox/demo";
import { expect } from "vitest";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import httpAddressesInDocument from "./http-addresses-in-document.ts";

const { keyPem, certPem } = await createDemoCertificates();
const tls = { key: keyPem, cert: certPem };
const target = fakeApi({ "GET /": { json: {} } });
const naming = (...servers: string[]) =>
  apiDocument({ "/things": { get: {} } }, { servers: servers.map((url) => ({ url })) });
const signingInAt = (tokenUrl: string) =>
  apiDocument(
    { "/things": { get: {} } },
    {
      components: {
        securitySchemes: { o: { type: "oauth2", flows: { clientCredentials: { tokenUrl, scopes: {} } } } },
      },
    },
  );

testCheck(httpAddressesInDocument, {
  positive: [
    {
      name: "a separate server without TLS",
      target,
      tls,
      document: naming("https://127.0.0.1:8443", "http://127.0.0.1:8080"),
      finding: { severity: "medium" },
      count: 1,
    },
    {
      name: "a server of another site without TLS, less severely",
      target,
      tls,
      document: naming("https://api.acme.test", "http://api.acme.test"),
      finding: {
        severity: "low",
        description: expect.stringContaining("Seen: http://api.acme.test/") as string,
      },
      count: 1,
    },
    {
      name: "a sign-in without TLS",
      target,
      tls,
      document: signingInAt("http://login.acme.test/token"),
      finding: { severity: "medium" },
      count: 1,
    },
  ],
  negative: [
    { name: "addresses with TLS", target, tls, document: naming("https://api.acme.test") },
    { name: "the developer's own machine", target, tls, document: naming("/", "http://localhost:8080") },
    { name: "a sign-in with TLS", target, tls, document: signingInAt("https://login.acme.test/token") },
  ],
  inconclusive: [
    { name: "a target without TLS", target, document: naming("http://api.acme.test") },
    { name: "a target without a document", target, tls },
  ],
});
