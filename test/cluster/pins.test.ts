import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson } from "./support/kubectl.ts";
import { HOST, startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

interface Policy {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly egress: readonly { readonly to: readonly object[] }[] };
}

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
  const many = Array.from({ length: 255 }, (_, index) => `198.51.100.${index}`);
  const allow = `${fixture.settings["GLOVEBOX_EGRESS_ALLOW"]},198.51.100.0/24`;
  const hosts = { [HOST]: [...many, fixture.target.address] };
  await fixture.startController({ GLOVEBOX_EGRESS_ALLOW: allow, GLOVEBOX_JOB_TTL_SECONDS: "300" }, hosts);
});
afterAll(() => fixture?.close());

test("a scan of a target with 256 addresses is pinned to 16 of them, and its status says so", async () => {
  await fixture.applyScan("many");
  const policy = await until("the policy of the scan", async () => {
    const { items } = await getJson<{ items: Policy[] }>("networkpolicies", "-n", fixture.namespace);
    return items.find(({ metadata }) => metadata.name.startsWith("scan-"));
  });
  expect(policy.spec.egress.flatMap(({ to }) => to)).toHaveLength(16);
  const status = await fixture.finished("many");
  expect(status.conditions).toContainEqual(
    expect.objectContaining({
      type: "TargetResolved",
      message: `The host ${HOST} has 256 addresses; the scan used 16 of them.`,
    }),
  );
});
