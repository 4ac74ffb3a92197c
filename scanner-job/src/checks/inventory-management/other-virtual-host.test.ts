import { createDemoCertificates } from "@glovebox/demo";
import { apiDocument } from "../../testing/api-document.ts";
import { fakeApi, type FakeResponse } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import otherVirtualHost from "./other-virtual-host.ts";

const { keyPem, certPem } = await createDemoCertificates();
const tls = { key: keyPem, cert: certPem };
const naming = (...servers: string[]) =>
  apiDocument({ "/things": { get: {} } }, { servers: servers.map((url) => ({ url })) });
const document = naming("/", "https://staff.library.test");
const hosts = (respond: (host: string) => FakeResponse) =>
  fakeApi({ "GET /": ({ headers }) => respond(String(headers.host)) });
const library: FakeResponse = { json: { name: "Town library", shelves: "/shelves" } };
const staff: FakeResponse = { json: { payroll: [{ name: "Ines", salary: 5_000 }], rota: "/rota" } };

testCheck(otherVirtualHost, {
  positive: [
    {
      name: "a host for staff that the document names",
      document,
      tls,
      target: hosts((host) => (host === "staff.library.test" ? staff : library)),
      finding: { severity: "low", location: { method: "GET", path: "/" } },
      count: 1,
    },
    {
      name: "a host for tests, more severely",
      document: naming("/", "https://staging.library.test"),
      target: hosts((host) => (host.startsWith("staging.") ? staff : library)),
      finding: { severity: "medium" },
    },
  ],
  negative: [
    {
      name: "a server that responds in the same way regardless of the host",
      document,
      target: hosts(() => library),
    },
    {
      name: "one that builds addresses of the host",
      document,
      target: hosts((host) => ({
        json: { name: "Town library", self: `https://${host.replace(/:\d+$/, "")}/shelves` },
      })),
    },
    {
      name: "one that knows its own name alone",
      document,
      target: hosts((host) => (host.startsWith("127.") ? library : { status: 421, json: {} })),
    },
    {
      name: "one whose other host returns what it returns for any name",
      document,
      target: hosts((host) => (host.startsWith("127.") ? library : staff)),
    },
  ],
  inconclusive: [
    { name: "a target without another name", target: hosts(() => library) },
    {
      name: "a firewall before the host",
      document,
      target: fakeApi({ "* *": { status: 403, body: "Request blocked" } }),
    },
  ],
});
