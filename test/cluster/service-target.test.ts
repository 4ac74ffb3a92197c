import { afterAll, beforeAll, expect, test } from "vitest";
import { serviceAddresses } from "./support/cluster-addresses.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { apply, getJson, kubectl } from "./support/kubectl.ts";
import { until } from "./support/until.ts";

interface Policy {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly egress: readonly { readonly to: readonly { ipBlock: { cidr: string } }[] }[] };
}

let fixture: Fixture;
let host: string;
const PORT = 8444;
const namespace = () => `${fixture.namespace}-target`;
const service = (name: string, selector?: object) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name, namespace: namespace() },
  spec: { ...(selector && { selector }), ports: [{ name: "https", port: PORT, targetPort: 443 }] },
});

beforeAll(async () => {
  fixture = await startFixture();
  await apply(service("shop", { app: "target" }), service("empty", { app: "none" }));
  await until("an endpoint of the Service", async () => {
    const { endpoints } = await serviceAddresses("shop", namespace());
    return endpoints.length > 0;
  });
  host = `shop.${namespace()}.svc`;
  const empty = `empty.${namespace()}.svc`;
  const addresses = await Promise.all(["shop", "empty"].map((name) => serviceAddresses(name, namespace())));
  const [ofShop, ofEmpty] = addresses.map((one) => one.addresses[0]!);
  await fixture.startController(
    { GLOVEBOX_EGRESS_ALLOW: `${host}:${PORT},${empty}:${PORT}`, GLOVEBOX_JOB_TTL_SECONDS: "300" },
    { [host]: ofShop!, [empty]: ofEmpty! },
  );
});
afterAll(async () => {
  await kubectl(["delete", "service", "shop", "empty", "-n", namespace(), "--ignore-not-found"]);
  await fixture?.close();
});

test("a Service with a cluster IP is scanned: its policy allows the ready endpoints, at their own port", async () => {
  await fixture.applyScan("service", `https://${host}:${PORT}/v1`);
  expect(await fixture.finished("service")).toMatchObject({ phase: "Completed", attempt: 1 });
  expect((await fixture.target.requests()).length).toBeGreaterThan(3);
  const { items } = await getJson<{ items: Policy[] }>("networkpolicies", "-n", fixture.namespace);
  const { spec } = items.find(({ metadata }) => metadata.name.startsWith("scan-"))!;
  const allowed = spec.egress.flatMap(({ to }) => to.map(({ ipBlock }) => ipBlock.cidr.split("/")[0]));
  expect(allowed).toContain(fixture.target.address);
});

test("a Service without a ready endpoint fails immediately, and says so", async () => {
  await fixture.applyScan("empty", `https://empty.${namespace()}.svc:${PORT}/v1`);
  const { failure } = await fixture.finished("empty");
  expect(failure).toMatchObject({
    code: "connection_refused",
    message: expect.stringContaining(`The Service empty.${namespace()}.svc has no ready endpoint.`),
  });
});
