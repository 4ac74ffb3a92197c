import { readFileSync } from "node:fs";
import { load } from "js-yaml";
import { expect, test } from "vitest";
import { EVALUATION, EVERYTHING, EXTERNAL, helmError, lint, renderAs } from "./helm.ts";

const read = (path: string): string =>
  readFileSync(new URL(`../../charts/glovebox/${path}`, import.meta.url), "utf8");

const url = "postgres://u:p@db.example.com/glovebox";

test.each([
  [{ ...EXTERNAL, postgres: { url, existingSecret: "db" } }, "postgres.url and postgres.existingSecret both"],
  [
    { ...EXTERNAL, redis: { url: "redis://c", existingSecret: "db" } },
    "redis.url and redis.existingSecret both",
  ],
  [
    { ...EXTERNAL, discovery: { enabled: true } },
    "discovery.enabled finds hosts in the namespaces of scanNamespaces",
  ],
  [{}, "Glovebox needs PostgreSQL: set postgres.existingSecret or postgres.url, or evaluation: true"],
  [{ postgres: { url } }, "Several API replicas count rate limits together in Redis"],
  [
    { postgres: { url }, api: { replicas: 1, autoscaling: { enabled: true } } },
    "Several API replicas count rate limits together in Redis",
  ],
  [
    { ...EXTERNAL, api: { autoscaling: { minReplicas: 5, maxReplicas: 3 } } },
    "api.autoscaling.minReplicas is greater than api.autoscaling.maxReplicas",
  ],
  [
    { ...EXTERNAL, scanNamespace: { name: "glovebox" } },
    "scanNamespace.name is the namespace of the release",
  ],
  [{ ...EXTERNAL, scanNamespaces: ["team-a", "glovebox-scans"] }, "scanNamespaces names the scan namespace"],
  [{ ...EXTERNAL, image: { registry: "" } }, "Set image.registry to the registry that has the images"],
  [{ ...EXTERNAL, scanner: { extraCA: "/etc/ca.pem" } }, "scanner.extraCA contains no certificate"],
  [{ ...EXTERNAL, api: { ingress: { enabled: true } } }, "api.ingress.enabled needs at least one entry"],
  [
    { ...EXTERNAL, api: { httpRoute: { enabled: true } } },
    "api.httpRoute.enabled needs at least one gateway",
  ],
  [
    { ...EXTERNAL, podSecurityContext: null },
    "The value podSecurityContext is missing: these are the values of an older chart, as helm upgrade --reuse-values takes them. Use --reset-then-reuse-values",
  ],
])("%j fails with: %s", (values, sentence) => {
  expect(helmError(values)).toContain(sentence);
});

test.each([
  [{ evaluation: "yes" }, "/evaluation"],
  [{ image: { tga: "dev" } }, "/image"],
  [{ image: { registry: "https://registry.example.com" } }, "/image/registry"],
  [{ image: { tag: "a b" } }, "/image/tag"],
  [{ scanner: { image: { digest: "sha256:1" } } }, "/scanner/image/digest"],
  [{ scanner: { egress: { allow: "10.0.0.0/8" } } }, "/scanner/egress/allow"],
  [{ scanner: { egress: { allow: ["10.0.0.0/8,10.1.0.0/16"] } } }, "/scanner/egress/allow/0"],
  [{ scanner: { maxConcurrent: 0 } }, "/scanner/maxConcurrent"],
  [{ scanner: { runtimeClassName: "g Visor" } }, "/scanner/runtimeClassName"],
  [{ postgres: { url: "mysql://db" } }, "/postgres/url"],
  [{ redis: { url: "http://cache" } }, "/redis/url"],
  [{ api: { replicas: -1 } }, "/api/replicas"],
  [{ api: { waitSeconds: 121 } }, "/api/waitSeconds"],
  [{ retention: { days: 0 } }, "/retention/days"],
  [{ retention: { days: "gold=30" } }, "/retention/days"],
  [{ retention: { usageDays: 61 } }, "/retention/usageDays"],
  [{ retention: { auditDays: 29 } }, "/retention/auditDays"],
  [{ controller: { canaryPort: 70_000 } }, "/controller/canaryPort"],
  [{ canary: { replicas: 0 } }, "/canary/replicas"],
  [{ scanNamespace: { labels: { "pod-security.kubernetes.io/enforce": "privileged" } } }, "pod-security"],
  [{ scanNamespaces: ["Team"] }, "/scanNamespaces/0"],
  [{ scanNamespace: { accounts: ["a,b"] } }, "/scanNamespace/accounts/0"],
  [{ cluster: { cidrs: ["10.0.0.0"] } }, "/cluster/cidrs/0"],
  [{ fullnameOverride: "a.b" }, "/fullnameOverride"],
  [{ fullnameOverride: "1glove" }, "/fullnameOverride"],
  [{ nameOverride: "x.y" }, "/nameOverride"],
  [{ unknown: 1 }, "unknown"],
])("the schema rejects %j with the path %s", (values, field) => {
  const error = helmError({ ...EXTERNAL, ...values });
  expect(error).toContain("specifications of the schema");
  expect(error).toContain(field);
});

test.each([
  ["no", {}],
  ["the evaluation's", EVALUATION],
  ["all", EVERYTHING],
])("helm lint --strict passes with %s values", (_, values) => {
  const { status, stdout } = lint(values);
  expect(stdout).toContain("0 chart(s) failed");
  expect(status).toBe(0);
});

test.each([
  ["1glove", {}, 'The names of Services would begin with "1glove-glovebox", which is not a DNS label'],
  ["a.b", { nameOverride: "gb" }, 'The names of Services would begin with "a.b-gb"'],
  ["a.b", { fullnameOverride: "gb" }, "Set scanNamespace.name."],
])("a release named %s with %j is refused before anything is installed: %s", (name, values, sentence) => {
  expect(() => renderAs({ ...EVALUATION, ...values }, name, "glovebox")).toThrow(sentence);
});

test("every group of values that the chart reads is among those that an older chart may lack", () => {
  const defaults = load(read("values.yaml")) as Record<string, unknown>;
  const groups = Object.entries(defaults).flatMap(([key, value]) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? [key] : [],
  );
  const [, listed] = /range list ((?:"\w+" ?)+)-}}\n{{- if not \(kindIs "map"/.exec(
    read("templates/guards/first/guards.yaml"),
  )!;
  expect(listed!.match(/\w+/g)!.toSorted()).toEqual(groups.toSorted());
});
