import { afterAll, beforeAll, expect, test } from "vitest";
import { applyChartRoles, type ChartRoles } from "./support/chart-roles.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { apply, kubectl } from "./support/kubectl.ts";
import { installKinds, type InstalledKinds, WIDENING } from "./support/plugin-policies.ts";
import { until } from "./support/until.ts";

const ADMIN = WIDENING.find(({ kind }) => kind === "AdminNetworkPolicy")!;

let fixture: Fixture;
let kinds: InstalledKinds;
let roles: ChartRoles;
const policy = () => `opening-${fixture.namespace}`;
beforeAll(async () => {
  kinds = await installKinds([ADMIN]);
  fixture = await startFixture({ delayMs: 200 });
  roles = await applyChartRoles({ namespace: fixture.namespace });
  await fixture.startController(roles.settings);
  await apply({
    apiVersion: `${ADMIN.group}/${ADMIN.version}`,
    kind: ADMIN.kind,
    metadata: { name: policy() },
    spec: {
      ...ADMIN.spec(fixture.namespace),
      subject: { namespaces: { matchLabels: { open: fixture.namespace } } },
    },
  });
});
afterAll(async () => {
  await kubectl(["delete", ADMIN.plural, policy(), "--ignore-not-found"]);
  await fixture?.close();
  await roles?.remove();
  await kinds?.uninstall();
});

test("a label of the scan namespace by which a policy selects ends a running scan, with the roles of the chart", async () => {
  await fixture.applyScan("labelled");
  await until("requests of the scan", async () => (await fixture.target.requests()).length > 3);
  expect(await fixture.statusOf("labelled")).toMatchObject({ phase: "Running", reason: "PolicyInPlace" });
  await kubectl(["label", "namespace", fixture.namespace, `open=${fixture.namespace}`]);
  const status = await fixture.finished("labelled");
  expect(status).toMatchObject({ phase: "Failed", reason: "ForeignPolicyWidensEgress" });
  expect(status.message).toContain(`AdminNetworkPolicy ${policy()}`);
});
