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
import { setStage, type Stage } from "./support/stage.ts";
import { until } from "./support/until.ts";

let stage: Stage;
let controller: ControllerProcess;
let kinds: InstalledKinds | undefined;
beforeAll(async () => {
  stage = await setStage();
  controller = await stage.startController();
});
afterAll(async () => {
  await kinds?.uninstall();
  await stage?.close();
});

/** Resources that the controller watches, by its metrics. */
async function watched(): Promise<string[]> {
  const metrics = await (await fetch(`${controller.url}/metrics`)).text();
  return [...metrics.matchAll(/watch_last_event_age_seconds\{resource="([^"]+)"\}/g)].map(
    ([, resource]) => resource!,
  );
}

describe("kinds of policies that are installed while the controller runs", () => {
  test("are watched from then on", async () => {
    kinds = await installKinds([...WIDENING, BASELINE]);
    await until("a watch of each kind", async () => {
      const resources = await watched();
      return WIDENING.every((kind) => resources.includes(resourceOf(kind)));
    });
  });

  test.each(WIDENING.map((policy) => [`${policy.kind} of ${policy.group}`, policy] as const))(
    "hold a %s that opens more than the target, which refuses the scan and is named",
    async (_, policy) => {
      const close = await applyOpening(policy, stage.namespace);
      const name = `widened-by-${policy.plural}-${policy.group.split(".")[0]}`;
      await stage.applyScan(name);
      const status = await stage.finished(name);
      expect(status).toMatchObject({ phase: "Failed", failure: { code: "egress_widened" } });
      const place = policy.scope === "Namespaced" ? `${stage.namespace}/` : "";
      expect(status.conditions).toContainEqual(
        expect.objectContaining({
          type: "Sealed",
          status: "False",
          reason: "ForeignPolicyWidensEgress",
          message: expect.stringContaining(`${policy.kind} ${place}opening-${stage.namespace}`),
        }),
      );
      expect(await stage.target.requests()).toEqual([]);
      await close();
    },
  );

  test("hold a baseline, which yields to the scan's own policy: the scan is carried out", async () => {
    const close = await applyOpening(BASELINE, stage.namespace);
    await stage.applyScan("above-the-baseline");
    expect(await stage.finished("above-the-baseline")).toMatchObject({ phase: "Completed" });
    await close();
  });
});

test("kinds of policies that are removed are watched no more, and in nobody's way", async () => {
  const { installed } = kinds!;
  await kinds!.uninstall();
  await until("the end of the watches", async () => {
    const resources = await watched();
    return !installed.some((name) => resources.includes(name));
  });
  await stage.applyScan("without-plugins");
  expect(await stage.finished("without-plugins")).toMatchObject({ phase: "Completed" });
});
