import { afterAll, beforeAll, expect, test } from "vitest";
import { getJson } from "./support/kubectl.ts";
import { HOST, setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

interface Policy {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly egress: readonly { readonly to: readonly object[] }[] };
}

let stage: Stage;
beforeAll(async () => {
  stage = await setStage();
  const many = Array.from({ length: 255 }, (_, index) => `198.51.100.${index}`);
  const allow = `${stage.settings["GLOVEBOX_EGRESS_ALLOW"]},198.51.100.0/24`;
  const hosts = { [HOST]: [...many, stage.target.address] };
  await stage.startController({ GLOVEBOX_EGRESS_ALLOW: allow, GLOVEBOX_JOB_TTL_SECONDS: "300" }, hosts);
});
afterAll(() => stage?.close());

test("a scan of a target with very many addresses opens sixteen, and says so", async () => {
  await stage.applyScan("many");
  const policy = await until("the policy of the scan", async () => {
    const { items } = await getJson<{ items: Policy[] }>("networkpolicies", "-n", stage.namespace);
    return items.find(({ metadata }) => metadata.name.startsWith("scan-"));
  });
  expect(policy.spec.egress.flatMap(({ to }) => to)).toHaveLength(16);
  const status = await stage.finished("many");
  expect(status.conditions).toContainEqual(
    expect.objectContaining({
      type: "TargetResolved",
      message: `The host ${HOST} has 256 addresses; the scan was held to 16 of them.`,
    }),
  );
});
