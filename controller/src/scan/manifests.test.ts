import { readFileSync } from "node:fs";
import { type ScanOrder, scanOrderSchema } from "@glovebox/contract";
import { toYaml } from "@glovebox/k8s";
import type { KubeObject } from "@glovebox/kube";
import { describe, expect, test } from "vitest";
import { jobManifest, type JobRequest, policyManifest } from "./manifests.ts";
import type { PodOptions } from "./pod-options.ts";
import { belongsTo, ownerOf } from "../kubernetes/ownership.ts";
import { jobDeadlineSeconds } from "./settings.ts";
import { canary, PART, pins, SCAN_ID, scanResource, settings } from "./testing/worlds.ts";

const order: ScanOrder = {
  scanId: SCAN_ID,
  url: "https://api.shop.example/v1",
  spec: { from: "url", url: "https://docs.shop.example/openapi.json" },
  pins,
  isolation: { canaries: canary.endpoints, controlEndpoints: [], waitSeconds: settings.isolationWaitSeconds },
  limits: settings.limits,
};
const pod: PodOptions = {
  image: "registry.example/glovebox/scanner-job:1.0.0",
  resources: { cpu: "500m", memory: "512Mi", ephemeralStorage: "128Mi" },
};
const request = (changes: Partial<JobRequest> = {}): JobRequest => ({
  scan: scanResource(),
  attempt: 2,
  policy: "5b1f8c1e-0000-4000-8000-000000000003/1",
  order,
  canary,
  settings,
  pod,
  ...changes,
});
const golden = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const podOf = (changes: Partial<JobRequest> = {}) => jobManifest(request(changes)).spec!.template.spec!;

describe("the Job of an attempt", () => {
  test("the Job of an attempt is the one of job-manifest.golden.yaml", () => {
    expect(toYaml(jobManifest(request()))).toBe(golden("job-manifest.golden.yaml"));
  });

  test("the Job of an attempt is named by scan and attempt, and owned by the Scan", () => {
    const { name, ownerReferences } = jobManifest(request()).metadata!;
    expect(name).toBe(`${SCAN_ID}-2`);
    expect(ownerReferences).toMatchObject([{ kind: "Scan", name: SCAN_ID, controller: true }]);
    expect(name!.length).toBeLessThanOrEqual(63);
  });

  test("gives its pod one try, until the deadline, and stays until its report is recorded", () => {
    const spec = jobManifest(request()).spec!;
    expect(spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: jobDeadlineSeconds(settings) });
    expect(spec).not.toHaveProperty("ttlSecondsAfterFinished");
    expect(spec.podFailurePolicy!.rules).toEqual([
      { action: "FailJob", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] },
    ]);
  });

  test("meets the restricted Pod Security Standard", () => {
    const { securityContext, containers, hostNetwork, hostPID, volumes } = podOf();
    expect(securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    expect([hostNetwork, hostPID]).toEqual([undefined, undefined]);
    expect(containers.map((container) => container.securityContext)).toEqual([
      {
        allowPrivilegeEscalation: false,
        privileged: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    ]);
    for (const volume of volumes!) expect(volume.downwardAPI ?? volume.emptyDir).toBeDefined();
  });

  test("the Job of an attempt has no token, no service links, and no name server that responds", () => {
    expect(podOf()).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      dnsPolicy: "None",
      dnsConfig: { nameservers: ["127.0.0.1"] },
    });
  });

  test("knows the pinned names, each address once", () => {
    expect(podOf().hostAliases).toEqual([
      { ip: "192.0.2.10", hostnames: ["api.shop.example", "docs.shop.example"] },
      { ip: "2001:db8::10", hostnames: ["api.shop.example"] },
    ]);
  });

  test.each(["192.0.2.9", "2001:db8::9", "a_b.example"])(
    "the Job of an attempt has no alias for %s, which cannot have one",
    (host) => {
      const alone = { ...order, pins: [{ host, addresses: ["192.0.2.9"], ports: [443] }] };
      expect(podOf({ order: alone }).hostAliases).toEqual([]);
    },
  );

  test("the Job of an attempt can write nothing but an emptyDir with a limit, and its resources are bounded", () => {
    const [container] = podOf().containers;
    const writable = container!.volumeMounts!.filter(({ readOnly }) => !readOnly).map(({ name }) => name);
    expect(writable).toEqual(["tmp"]);
    expect(podOf().volumes).toContainEqual({ name: "tmp", emptyDir: { sizeLimit: "64Mi" } });
    expect(container!.resources!.limits).toEqual({
      cpu: "500m",
      memory: "512Mi",
      "ephemeral-storage": "128Mi",
    });
  });

  test("gets its order as a file, with nothing of it in arguments or environment", () => {
    const { template } = jobManifest(request()).spec!;
    const text = template.metadata!.annotations!["glovebox.dev/order"]!;
    expect(scanOrderSchema.parse(JSON.parse(text))).toEqual(order);
    const [container] = template.spec!.containers;
    expect(container!.env).toBeUndefined();
    expect(container!.args).toEqual([
      "--order",
      "/order/order.json",
      "--termination-log",
      "/dev/termination-log",
    ]);
    expect(JSON.stringify(template.spec)).not.toContain(order.url);
  });

  test("mounts the operator's certificates, and its order holds none", () => {
    const { template } = jobManifest(request({ pod: { ...pod, extraCaConfigMap: "our-ca" } })).spec!;
    const { containers, volumes } = template.spec!;
    expect(volumes).toContainEqual({
      name: "extra-ca",
      configMap: { name: "our-ca", items: [{ key: "extra-ca.pem", path: "extra-ca.pem" }] },
    });
    expect(containers[0]!.volumeMounts).toContainEqual({
      name: "extra-ca",
      mountPath: "/etc/glovebox/extra-ca",
      readOnly: true,
    });
    expect(containers[0]!.args!.slice(-2)).toEqual(["--extra-ca", "/etc/glovebox/extra-ca/extra-ca.pem"]);
    expect(JSON.stringify(template.metadata)).toBe(
      JSON.stringify(jobManifest(request()).spec!.template.metadata),
    );
  });

  test("mounts one key of the Secret that it is given, read-only, and nobody but its user and group may read it", () => {
    const job = jobManifest(request({ identitiesSecret: "shop-users" }));
    const { containers, volumes } = job.spec!.template.spec!;
    const items = [{ key: "identities.yaml", path: "identities.yaml" }];
    expect(volumes!.filter(({ secret }) => secret)).toEqual([
      { name: "identities", secret: { secretName: "shop-users", defaultMode: 0o440, items } },
    ]);
    expect(containers[0]!.volumeMounts).toContainEqual({
      name: "identities",
      mountPath: "/etc/glovebox/identities",
      readOnly: true,
    });
    expect(containers[0]!.args!.slice(-2)).toEqual([
      "--identities",
      "/etc/glovebox/identities/identities.yaml",
    ]);
    expect([containers[0]!.env, containers[0]!.envFrom]).toEqual([undefined, undefined]);
    const { metadata } = jobManifest(request()).spec!.template;
    expect(job.spec!.template.metadata).toEqual(metadata);
  });

  test("takes the operator's choices of where and as what it runs", () => {
    const chosen: PodOptions = {
      ...pod,
      imagePullPolicy: "Always",
      imagePullSecrets: ["pull"],
      serviceAccountName: "glovebox-scanner",
      runtimeClassName: "gvisor",
      priorityClassName: "scans",
      nodeSelector: { pool: "scans" },
      tolerations: [{ key: "scans", operator: "Exists" }],
      userNamespace: true,
    };
    expect(podOf({ pod: chosen })).toMatchObject({
      imagePullSecrets: [{ name: "pull" }],
      serviceAccountName: "glovebox-scanner",
      runtimeClassName: "gvisor",
      priorityClassName: "scans",
      nodeSelector: { pool: "scans" },
      tolerations: [{ key: "scans", operator: "Exists" }],
      hostUsers: false,
      containers: [{ imagePullPolicy: "Always" }],
    });
  });

  test("names no user where the cluster assigns one, and still refuses root", () => {
    expect(podOf({ pod: { ...pod, fixedUser: false } }).securityContext).toEqual({
      runAsNonRoot: true,
      seccompProfile: { type: "RuntimeDefault" },
    });
  });
});

describe("the Job and the policy of a Scan of another namespace", () => {
  const elsewhere = { ...scanResource(), metadata: { ...scanResource().metadata, namespace: "team-a" } };
  const parts = [
    jobManifest(request({ scan: elsewhere })),
    policyManifest({ ...PART, scan: elsewhere, attempt: 2, pins }),
  ];

  test("the Job and the policy of a Scan of another namespace are in the scan namespace, and name the Scan, which does not own them", () => {
    for (const { metadata } of parts) {
      expect(metadata).not.toHaveProperty("ownerReferences");
      expect(metadata!.namespace).toBe(settings.namespace);
      const { name, uid } = elsewhere.metadata;
      expect(metadata!.annotations).toMatchObject({ "glovebox.dev/scan-resource": `team-a/${name}/${uid}` });
    }
    expect(parts[1]!.metadata!.annotations).toHaveProperty(["glovebox.dev/pins"]);
    expect(parts[0]!.metadata!.annotations).toHaveProperty(["glovebox.dev/policy"]);
  });

  test("belong to that Scan, and to no other", () => {
    const other = { ...elsewhere, metadata: { ...elsewhere.metadata, uid: "other" } };
    for (const part of parts as KubeObject[]) {
      expect(belongsTo(part, elsewhere)).toBe(true);
      expect(belongsTo(part, other)).toBe(false);
      expect(ownerOf(part)).toBe(elsewhere.metadata.uid);
    }
  });
});

describe("the NetworkPolicy of an attempt", () => {
  const policy = policyManifest({ ...PART, attempt: 2, pins });

  test("the NetworkPolicy of an attempt is the one of policy-manifest.golden.yaml", () => {
    expect(toYaml(policy)).toBe(golden("policy-manifest.golden.yaml"));
  });

  test("selects the attempt's pod and no other", () => {
    const labels = jobManifest(request()).spec!.template.metadata!.labels!;
    const { matchLabels } = policy.spec!.podSelector!;
    expect(labels).toMatchObject(matchLabels!);
    const others = jobManifest(request({ attempt: 1 })).spec!.template.metadata!.labels!;
    expect(others).not.toMatchObject(matchLabels!);
  });

  test("opens single addresses at TCP ports, and lets nothing in", () => {
    const { ingress, egress, policyTypes } = policy.spec!;
    expect(policyTypes).toEqual(["Ingress", "Egress"]);
    expect(ingress).toEqual([]);
    for (const { to, ports } of egress!) {
      for (const peer of to!) expect(peer.ipBlock!.cidr).toMatch(/\/(32|128)$/);
      for (const port of ports!) expect(port).toEqual({ protocol: "TCP", port: expect.any(Number) });
    }
  });

  test("carries the pins that it opens, so that the order is given the same", () => {
    expect(JSON.parse(policy.metadata!.annotations!["glovebox.dev/pins"]!)).toEqual(pins);
  });

  test("opens the endpoints of a Service too, each at its own port", () => {
    const backends = [
      { address: "10.1.0.5", port: 8443 },
      { address: "fd00::5", port: 8443 },
      { address: "10.1.0.6", port: 9443 },
    ];
    const pin = { host: "shop.team.svc", addresses: ["10.96.0.7"], ports: [443], backends };
    const opened = policyManifest({ ...PART, attempt: 1, pins: [pin] }).spec!.egress!.map(({ to, ports }) => [
      to!.map(({ ipBlock }) => ipBlock!.cidr),
      ports!.map(({ port }) => port),
    ]);
    expect(opened).toEqual([
      [["10.96.0.7/32"], [443]],
      [["10.1.0.5/32", "fd00::5/128"], [8443]],
      [["10.1.0.6/32"], [9443]],
    ]);
  });
});
