import { ANNOTATIONS, DISCOVERY_LABEL, type ScheduleResource } from "@glovebox/k8s";
import { afterAll, beforeAll, expect, test } from "vitest";
import { applyChartRoles, type ChartRoles } from "./support/chart-roles.ts";
import type { ControllerProcess } from "./support/controller.ts";
import { HOST, startFixture, type Fixture } from "./support/fixture.ts";
import { apply, createNamespace, getJson, kubectl, namesOf } from "./support/kubectl.ts";
import { installDefinition } from "./support/resource-definition.ts";
import { until } from "./support/until.ts";

const ACCOUNT = `${ANNOTATIONS.account}=default`;

let fixture: Fixture;
let team: string;
let roles: ChartRoles;
let controller: ControllerProcess;
let removeDefinition: () => Promise<void>;
beforeAll(async () => {
  const hostnames = { type: "array", items: { type: "string" } };
  removeDefinition = await installDefinition({
    ...{ group: "gateway.networking.k8s.io", version: "v1", kind: "HTTPRoute", plural: "httproutes" },
    schema: { type: "object", properties: { spec: { type: "object", properties: { hostnames } } } },
  });
  fixture = await startFixture();
  team = `${fixture.namespace}-team`;
  await createNamespace(team);
  await kubectl(["annotate", "namespace", team, ACCOUNT]);
  await kubectl(["label", "namespace", team, `${DISCOVERY_LABEL}=enabled`]);
  roles = await applyChartRoles({ namespace: fixture.namespace, team });
  const settings = { GLOVEBOX_SCAN_NAMESPACES: team, GLOVEBOX_DISCOVERY: "on" };
  controller = await fixture.startController({ ...roles.settings, ...settings });
});
afterAll(async () => {
  await kubectl(["delete", "namespace", team, "--wait=false"]);
  await fixture?.close();
  await roles?.remove();
  await removeDefinition?.();
});

const ingress = (name: string, scan: string, host = HOST): Promise<string> =>
  apply({
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name, namespace: team, annotations: { [ANNOTATIONS.scanSchedule]: scan } },
    spec: {
      tls: [{ hosts: [host], secretName: "certificate" }],
      rules: [
        {
          host,
          http: {
            paths: [
              { path: "/", pathType: "Prefix", backend: { service: { name: "shop", port: { number: 80 } } } },
            ],
          },
        },
      ],
    },
  });
const schedules = async (): Promise<ScheduleResource[]> =>
  (await getJson<{ items: ScheduleResource[] }>("scanschedules.glovebox.dev", "-n", team)).items;
const scheduleOf = (name: string): Promise<ScheduleResource> =>
  until(`the schedule of ${name}`, async () => {
    const all = await schedules();
    return all.find(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.name === name));
  });
const warningOf = (name: string, reason: string): Promise<string> =>
  until(`the event ${reason} of ${name}`, async () => {
    const { items } = await getJson<{
      items: { reason: string; note: string; regarding: { name: string } }[];
    }>("events.events.k8s.io", "-n", team);
    return items.find((event) => event.regarding.name === name && event.reason === reason)?.note;
  });

test("the host of an annotated Ingress is scanned when its revision changes, and its schedule goes with the annotation", async () => {
  await ingress("shop", "daily");
  const { metadata, spec } = await scheduleOf("shop");
  expect(spec).toMatchObject({ schedule: "0 2 * * *", scanTemplate: { spec: { url: `https://${HOST}/` } } });
  await kubectl(["annotate", "ingress", "shop", "-n", team, `${ANNOTATIONS.revision}=1.4.2`]);
  const scan = await until("the end of the Scan", async () => {
    const { items } = await getJson<{ items: { status?: { phase?: string; finishedAt?: string } }[] }>(
      "scans.glovebox.dev",
      "-n",
      team,
    );
    return items.find(({ status }) => status?.finishedAt !== undefined);
  });
  expect(scan.status).toMatchObject({ phase: "Completed" });
  await until("the revision in the status", async () => {
    const [schedule] = await schedules();
    return schedule?.status?.observedRevision === "1.4.2";
  });
  await kubectl(["annotate", "ingress", "shop", "-n", team, `${ANNOTATIONS.scanSchedule}-`]);
  await until("the deletion of the schedule", async () => {
    const names = await namesOf("scanschedules.glovebox.dev", team);
    return !names.includes(metadata.name);
  });
});

test("the host of an annotated HTTPRoute has a schedule", async () => {
  await apply({
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: "route", namespace: team, annotations: { [ANNOTATIONS.scanSchedule]: "weekly" } },
    spec: { hostnames: [`api.${HOST}`] },
  });
  const { spec } = await scheduleOf("route");
  expect(spec).toMatchObject({
    schedule: "0 2 * * 0",
    scanTemplate: { spec: { url: `https://api.${HOST}/` } },
  });
});

test("a bad annotation has an event on the Ingress with the reason, and no schedule", async () => {
  await ingress("typo", "dayly", "typo.example");
  expect(await warningOf("typo", "InvalidSchedule")).toContain(
    '"dayly" must have five fields of a cron expression',
  );
  expect((await schedules()).some(({ spec }) => spec.scanTemplate.spec.url.includes("typo"))).toBe(false);
});

test("a Service is not scanned unless the settings allow its name", async () => {
  await apply({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "internal", namespace: team, annotations: { [ANNOTATIONS.scanSchedule]: "daily" } },
    spec: { ports: [{ port: 443 }], selector: { app: "none" } },
  });
  expect(await warningOf("internal", "TargetNotAllowed")).toBe(
    `https://internal.${team}.svc/ is not scanned: local name.`,
  );
});

test("for all this the roles of the chart suffice", () => {
  expect(controller.lines.filter((line) => /Forbidden|a watch failed/.test(line))).toEqual([]);
});
