import { readFileSync } from "node:fs";
import { dump, load } from "js-yaml";
import { describe, expect, test } from "vitest";
import { EVALUATION, EVERYTHING, EXTERNAL, type Manifest, find, podsOf, render } from "./helm.ts";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe.each([
  ["scans.glovebox.dev", "scans"],
  ["scanschedules.glovebox.dev", "scan-schedules"],
])("%s", (name, file) => {
  const generated = load(read(`k8s/crd/${file}.yaml`)) as Manifest;

  test(`${name} is the generated definition`, () => {
    expect(read(`charts/glovebox/files/${file}-crd.yaml`)).toBe(read(`k8s/crd/${file}.yaml`));
    const { spec } = find(render(EXTERNAL), "CustomResourceDefinition", name);
    expect(spec).toEqual(generated["spec"]);
  });

  test(`${name} is kept by an uninstall unless crds.keep is false`, () => {
    const annotationsOf = (values: Manifest) =>
      find(render(values), "CustomResourceDefinition", name)["metadata"].annotations;
    expect(annotationsOf(EXTERNAL)).toEqual({ "helm.sh/resource-policy": "keep" });
    expect(annotationsOf({ ...EXTERNAL, crds: { keep: false } })).toBeUndefined();
  });

  test(`${name} is not rendered with crds.enabled: false`, () => {
    const kinds = render({ ...EXTERNAL, crds: { enabled: false } }).map(({ kind }) => kind);
    expect(kinds).not.toContain("CustomResourceDefinition");
  });
});

test("the scan namespace enforces Pod Security restricted and denies all traffic", () => {
  const manifests = render({
    ...EXTERNAL,
    scanNamespace: { account: "payments", accounts: ["shop", "team a"], labels: { a: "b" } },
  });
  const { labels, annotations } = find(manifests, "Namespace", "glovebox-scans")["metadata"];
  expect(labels).toMatchObject({ a: "b", "pod-security.kubernetes.io/enforce": "restricted" });
  expect(annotations).toEqual({
    "glovebox.dev/account": "payments",
    "glovebox.dev/accounts": "shop,team a",
  });
  const policy = find(manifests, "NetworkPolicy", "glovebox-deny-all");
  expect(policy["metadata"].namespace).toBe("glovebox-scans");
  expect(policy["spec"]).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
});

test("the additional CA certificates are in a ConfigMap of the scan namespace, which the controller's settings name", () => {
  const manifests = render(EVERYTHING);
  const { metadata, data } = find(manifests, "ConfigMap", "glovebox-extra-ca");
  expect(metadata.namespace).toBe("glovebox-scans");
  expect(data["extra-ca.pem"]).toBe(EVERYTHING["scanner"].extraCA);
  const [container] = find(manifests, "Deployment", "glovebox-controller")["spec"].template.spec.containers;
  const setting = { name: "GLOVEBOX_EXTRA_CA_CONFIG_MAP", value: "glovebox-extra-ca" };
  expect(container.env).toContainEqual(setting);
});

test("the policy of the scan namespace is rendered with networkPolicy.enabled: false", () => {
  const manifests = render({ ...EVALUATION, networkPolicy: { enabled: false } });
  const policies = manifests
    .filter(({ kind }) => kind === "NetworkPolicy")
    .map(({ metadata }) => metadata.name);
  expect(policies).toEqual(["glovebox-deny-all", "glovebox-test-sealed"]);
});

test.each([EVALUATION, EVERYTHING])(
  "every pod except two of the chart's tests has a NetworkPolicy",
  (values) => {
    const manifests = render(values);
    const policies = manifests.filter(({ kind }) => kind === "NetworkPolicy");
    const named = policies.map(({ metadata }) => metadata.name);
    const open = ["Pod glovebox-test-open", "Pod glovebox-test-api"];
    const names = podsOf(manifests).map(({ name }) => name);
    for (const name of names.filter((it) => !open.includes(it))) expect(named).toContain(name.split(" ")[1]);
  },
);

test("the canary accepts connections from every pod", () => {
  const { spec } = find(render(EXTERNAL), "NetworkPolicy", "glovebox-canary");
  expect(spec.ingress).toEqual([{ ports: [{ protocol: "TCP", port: 8099 }] }]);
});

test("two canaries are found through a headless dual-stack Service", () => {
  const manifests = render({ ...EXTERNAL, controller: { canaryPort: 9000 } });
  const { replicas, template } = find(manifests, "Deployment", "glovebox-canary")["spec"];
  expect(replicas).toBe(2);
  const setting = { name: "GLOVEBOX_CANARIES", value: "glovebox-canary:9000" };
  expect(template.spec.containers[0].env).toContainEqual(setting);
  const controller = find(manifests, "Deployment", "glovebox-controller")["spec"].template.spec;
  expect(controller.containers[0].env).toContainEqual(setting);
  expect(template.spec.containers[0].image).toBe(controller.containers[0].image);
  expect(find(manifests, "Service", "glovebox-canary")["spec"]).toMatchObject({
    clusterIP: "None",
    ipFamilyPolicy: "PreferDualStack",
    ports: [{ port: 9000 }],
  });
});

test("each Service selects the pods of its Deployment only", () => {
  const manifests = render({ ...EVALUATION, monitoring: { serviceMonitor: { enabled: true } } });
  const labels = manifests
    .filter(({ kind }) => kind === "Deployment")
    .map(({ metadata, spec }) => ({ name: metadata.name, labels: spec.template.metadata.labels }));
  for (const { kind, metadata, spec } of manifests.filter((it) => it["kind"] === "Service")) {
    const found = labels.filter((it) =>
      Object.entries(spec.selector).every(([key, value]) => it.labels[key] === value),
    );
    expect(
      found.map(({ name }) => name),
      `${kind} ${metadata.name}`,
    ).toEqual([metadata.name.replace(/-metrics$/, "")]);
  }
});

test("extra objects, variables and volumes are rendered", () => {
  const manifests = render({
    ...EXTERNAL,
    api: {
      extraEnv: [{ name: "GLOVEBOX_SWEEP_SECONDS", value: "30" }],
      extraVolumes: [{ name: "more", emptyDir: {} }],
      extraVolumeMounts: [{ name: "more", mountPath: "/more" }],
    },
    extraObjects: [
      "{apiVersion: v1, kind: ConfigMap, metadata: {name: '{{ .Release.Name }}-text'}}",
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "{{ .Release.Name }}-object" } },
    ],
  });
  find(manifests, "ConfigMap", "glovebox-text");
  find(manifests, "ConfigMap", "glovebox-object");
  const { containers, volumes } = find(manifests, "Deployment", "glovebox-api")["spec"].template.spec;
  expect(containers[0].env).toContainEqual({ name: "GLOVEBOX_SWEEP_SECONDS", value: "30" });
  expect(containers[0].volumeMounts).toContainEqual({ name: "more", mountPath: "/more" });
  expect(volumes).toContainEqual({ name: "more", emptyDir: {} });
});

test.each([
  ["external", EXTERNAL],
  ["evaluation", EVALUATION],
  ["everything", EVERYTHING],
])("the manifests of %s equal the golden file", async (name, values) => {
  const manifests = render(values)
    .filter(({ kind }) => kind !== "CustomResourceDefinition")
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
    .map(withoutRandomValues);
  const text = manifests.map((manifest) => dump(manifest, { sortKeys: true, lineWidth: -1 })).join("---\n");
  // The version changes with each release.
  await expect(withoutVersion(text)).toMatchFileSnapshot(`golden/${name}.yaml`);
});

const withoutVersion = (text: string): string =>
  text
    .replaceAll(/helm\.sh\/chart: .*/g, "helm.sh/chart: glovebox")
    .replaceAll(/app\.kubernetes\.io\/version: .*/g, "app.kubernetes.io/version: VERSION")
    .replaceAll(/(localhost\/glovebox\/[\w-]+):[\w.-]+/g, "$1:VERSION");

const sortKey = ({ kind, metadata }: Manifest): string =>
  [kind, metadata.namespace ?? "", metadata.name].join(" ");

/** Removes random values and checksums, which differ in each rendering. */
function withoutRandomValues({ data, stringData, ...manifest }: Manifest): Manifest {
  const text = JSON.stringify(manifest).replaceAll(/("checksum\/\w+":)"[0-9a-f]{64}"/g, '$1"…"');
  const shown = manifest["kind"] === "Secret" ? namesIn({ ...data, ...stringData }) : data;
  return { ...JSON.parse(text), ...(shown && { data: shown }) };
}

const namesIn = (data: Manifest): Manifest => Object.fromEntries(Object.keys(data).map((key) => [key, "…"]));
