import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ControllerProcess } from "./support/controller.ts";
import {
  applyOpening,
  BASELINE,
  installKinds,
  type InstalledKinds,
  resourceOf,
  WIDENING,
} from "./support/plugin-policies.ts";
import { startFixture, type Fixture } from "./support/fixture.ts";
import { until } from "./support/until.ts";

let fixture: Fixture;
let controller: ControllerProcess;
let kinds: InstalledKinds | undefined;
beforeAll(async () => {
  fixture = await startFixture();
  controller = await fixture.startController();
});
afterAll(async () => {
  await kinds?.uninstall();
  await fixture?.close();
});

/** Resources that the controller watches, from its metrics. */
async function watchedResources(): Promise<string[]> {
  const metrics = await (await fetch(`${controller.url}/metrics`)).text();
  return [...metrics.matchAll(/watch_last_event_age_seconds\{resource="([^"]+)"\}/g)].map(
    ([, resource]) => resource!,
  );
}

describe("policy kinds of network plugins that are installed while the controller runs", () => {
  test("policy kinds of network plugins that are installed while the controller runs are watched", async () => {
    kinds = await installKinds([...WIDENING, BASELINE]);
    await until("a watch of each kind", async () => {
      const resources = await watchedResources();
      return WIDENING.every((kind) => resources.includes(resourceOf(kind)));
    });
  });

  test.each(WIDENING.map((policy) => [`${policy.kind} of ${policy.group}`, policy] as const))(
    "fail a scan that a %s allows more egress than to its target, and the status names the policy",
    async (_, policy) => {
      const deletePolicy = await applyOpening(policy, fixture.namespace);
      const name = `widened-by-${policy.plural}-${policy.group.split(".")[0]}`;
      await fixture.applyScan(name);
      const status = await fixture.finished(name);
      expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_widened" } });
      const prefix = policy.scope === "Namespaced" ? `${fixture.namespace}/` : "";
      expect(status.conditions).toContainEqual(
        expect.objectContaining({
          type: "Sealed",
          status: "False",
          reason: "ForeignPolicyWidensEgress",
          message: expect.stringContaining(`${policy.kind} ${prefix}opening-${fixture.namespace}`),
        }),
      );
      expect(await fixture.target.requests()).toEqual([]);
      await deletePolicy();
    },
  );

  test("do not fail a scan that a baseline policy selects, because the scan's own policy overrides it", async () => {
    const deletePolicy = await applyOpening(BASELINE, fixture.namespace);
    await fixture.applyScan("above-baseline");
    expect(await fixture.finished("above-baseline")).toMatchObject({ phase: "Completed" });
    await deletePolicy();
  });
});

test("policy kinds that are uninstalled are no longer watched, and scans complete", async () => {
  const { installed } = kinds!;
  await kinds!.uninstall();
  await until("the end of the watches", async () => {
    const resources = await watchedResources();
    return !installed.some((name) => resources.includes(name));
  });
  await fixture.applyScan("without-plugins");
  expect(await fixture.finished("without-plugins")).toMatchObject({ phase: "Completed" });
});
