import { KUBERNETES_SETTINGS } from "@glovebox/api/settings";
import { CONTROLLER_SETTINGS } from "@glovebox/controller";
import type { Setting } from "@glovebox/settings";
import { describe, expect, test } from "vitest";
import { EVALUATION, EVERYTHING, EXTERNAL, containersOf, decode, podsOf, render } from "./helm.ts";

const SECRET_VARIABLES = [KUBERNETES_SETTINGS, CONTROLLER_SETTINGS]
  .flatMap((table) => Object.values<Setting<unknown>>(table))
  .flatMap(({ variable, secret }) => (secret ? [variable] : []));

const pods = [EVALUATION, EVERYTHING].flatMap((values) => podsOf(render(values)));
const containers = pods.flatMap(({ name, spec }) =>
  containersOf(spec).map((container) => ({ name: `${name}, ${container["name"]}`, container })),
);

test("the chart has pods of the API, the controller, the canary, both databases, the migration and its tests", () => {
  const names = new Set(pods.map(({ name }) => name));
  expect([...names].toSorted()).toEqual([
    "Deployment glovebox-api",
    "Deployment glovebox-canary",
    "Deployment glovebox-controller",
    "Deployment glovebox-postgres",
    "Deployment glovebox-redis",
    "Job glovebox-migrate",
    "Pod glovebox-test-api",
    "Pod glovebox-test-open",
    "Pod glovebox-test-sealed",
  ]);
});

describe.each(pods)("$name", ({ name, spec }) => {
  test("meets Pod Security restricted", () => {
    const { securityContext, hostNetwork, hostPID, hostIPC, volumes = [] } = spec;
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect(securityContext.runAsUser).toBeGreaterThan(0);
    expect([hostNetwork, hostPID, hostIPC]).toEqual([undefined, undefined, undefined]);
    const sources = volumes.map(
      ({ name: _, ...source }: object & { name: string }) => Object.keys(source)[0],
    );
    for (const source of sources) expect(["emptyDir", "secret", "configMap"]).toContain(source);
  });

  test(`${name} has a service account token only if it uses the API server`, () => {
    const calls = ["Deployment glovebox-api", "Deployment glovebox-controller"].includes(name);
    expect(spec["automountServiceAccountToken"]).toBe(calls);
    expect(spec["enableServiceLinks"]).toBe(false);
  });

  test(`${name} has size limits for its writable volumes`, () => {
    const unlimited = (spec["volumes"] ?? []).filter(
      ({ emptyDir }: { emptyDir?: { sizeLimit?: string } }) => emptyDir && !emptyDir.sizeLimit,
    );
    expect(unlimited).toEqual([]);
  });
});

describe.each(containers)("$name", ({ container }) => {
  test("is unprivileged, with a read-only root file system and resource limits", () => {
    expect(container["securityContext"]).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container["resources"].limits.memory).toMatch(/Mi$/);
    expect(container["resources"].requests).toHaveProperty("cpu");
  });

  test("gets secrets by reference", () => {
    const secret = ((container["env"] ?? []) as { name: string; value?: string }[]).filter(
      ({ name }) => SECRET_VARIABLES.includes(name) || /URL|PASSWORD|KEY|TOKEN|SECRET/.test(name),
    );
    const reference = /^$|^\/run\/secrets\/|^\/etc\/glovebox\/identities\/|^http:\/\/glovebox-api\./;
    expect(secret.filter(({ value }) => !reference.test(value ?? ""))).toEqual([]);
  });
});

test("secrets are in Secrets only", () => {
  const manifests = render({
    postgres: { url: "postgres://u:opensesame@db.example.com/glovebox" },
    redis: { url: "redis://:opensesame@cache.example.com" },
  });
  const secrets = manifests.filter(({ kind }) => kind === "Secret");
  expect(secrets.map((secret) => decode(secret, "url")).toSorted()).toEqual([
    "postgres://u:opensesame@db.example.com/glovebox",
    "postgres://u:opensesame@db.example.com/glovebox",
    "redis://:opensesame@cache.example.com",
  ]);
  const others = manifests.filter(({ kind }) => kind !== "Secret");
  expect(JSON.stringify(others)).not.toContain("opensesame");
});

test("images have the configured registry, tag and digest", () => {
  const digest = `sha256:${"a".repeat(64)}`;
  const manifests = render({
    ...EXTERNAL,
    image: { registry: "registry.example.com/mirror/", tag: "dev" },
    controller: { image: { digest } },
    scanner: { image: { tag: "edge" } },
  });
  const images = new Set(
    podsOf(manifests).flatMap(({ spec }) => containersOf(spec).map((it) => String(it["image"]))),
  );
  expect([...images].toSorted()).toEqual([
    "registry.example.com/mirror/glovebox/api:dev",
    `registry.example.com/mirror/glovebox/controller:dev@${digest}`,
  ]);
  expect(scannerConfigOf(manifests)).toMatchObject({
    image: "registry.example.com/mirror/glovebox/scanner-job:edge",
  });
});

test("the controller's configuration of scan pods contains the values", () => {
  const manifests = render({
    ...EVERYTHING,
    scanner: { runtimeClassName: "gvisor", userNamespace: true, resources: { cpu: 1 } },
  });
  expect(scannerConfigOf(manifests)).toEqual({
    image: expect.stringMatching(/^localhost\/glovebox\/scanner-job:\d+\.\d+\.\d+$/),
    imagePullPolicy: "IfNotPresent",
    imagePullSecrets: ["registry"],
    serviceAccountName: "glovebox-scanner",
    runtimeClassName: "gvisor",
    priorityClassName: "glovebox-scan.glovebox",
    userNamespace: true,
    resources: { cpu: "1", memory: "512Mi", ephemeralStorage: "128Mi" },
  });
});

test("with fixedUsers: false, no pod has a fixed user or group, including scan pods", () => {
  for (const values of [EVALUATION, EVERYTHING]) {
    const manifests = render({ ...values, fixedUsers: false });
    for (const { name, spec } of podsOf(manifests))
      expect(spec["securityContext"], name).toEqual({
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      });
    expect(scannerConfigOf(manifests)).toMatchObject({ fixedUser: false });
  }
});

test("security contexts in the values override the security contexts of the chart", () => {
  const manifests = render({
    ...EVERYTHING,
    podSecurityContext: { runAsUser: 1000, fsGroupChangePolicy: "OnRootMismatch" },
    containerSecurityContext: { capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } },
  });
  for (const { name, spec } of podsOf(manifests)) {
    expect(spec["securityContext"], name).toMatchObject({
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 65532,
      fsGroupChangePolicy: "OnRootMismatch",
    });
    for (const { securityContext } of containersOf(spec))
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] },
      });
  }
});

function scannerConfigOf(manifests: ReturnType<typeof render>): unknown {
  const config = manifests.find(
    ({ kind, metadata }) => kind === "ConfigMap" && metadata.name === "glovebox-controller",
  );
  return JSON.parse(config!["data"]["scanner.json"]);
}
