import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { loadAll } from "js-yaml";

/** A rendered manifest. */
export type Manifest = Record<string, any>;

/** Minimal values: with the databases of an evaluation, and with external databases. */
export const EVALUATION: Manifest = { evaluation: true };
export const EXTERNAL: Manifest = {
  postgres: { existingSecret: "glovebox-database" },
  redis: { existingSecret: "glovebox-cache" },
  accounts: { existingSecret: "glovebox-accounts-file" },
};
/** All optional features. */
export const EVERYTHING: Manifest = {
  ...EXTERNAL,
  commonLabels: { team: "security" },
  imagePullSecrets: [{ name: "registry" }],
  scanNamespace: { resourceQuota: { enabled: true }, account: "default" },
  scanner: { extraCA: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" },
  api: {
    autoscaling: { enabled: true },
    ingress: { enabled: true, hosts: [{ host: "glovebox.example.com" }] },
    httpRoute: { enabled: true, parentRefs: [{ name: "gateway" }] },
  },
  identities: { existingSecret: "glovebox-identity-keys" },
  priorityClasses: { create: true },
  flowControl: { enabled: true },
  monitoring: {
    serviceMonitor: { enabled: true },
    prometheusRule: { enabled: true },
    dashboard: { enabled: true },
  },
};

const CHART = fileURLToPath(new URL("../../charts/glovebox", import.meta.url));

/** Runs helm with `values` as JSON on stdin. */
function helm(command: readonly string[], values: Manifest) {
  const { status, stdout, stderr } = spawnSync("helm", [...command, "--values", "-"], {
    input: JSON.stringify(values),
    encoding: "utf8",
    maxBuffer: 16 * 1024 * 1024,
  });
  return { status, stdout, stderr };
}

/** The manifests of `helm install glovebox --namespace glovebox`, including hooks and tests. */
export const render = (values: Manifest): Manifest[] => renderAs(values, "glovebox", "glovebox");

/** The manifests of a release with this name in this namespace. */
export function renderAs(values: Manifest, name: string, namespace: string): Manifest[] {
  const { status, stdout, stderr } = template(values, name, namespace);
  if (status !== 0) throw new Error(stderr);
  return (loadAll(stdout) as (Manifest | null)[]).filter((manifest) => manifest !== null);
}

/** The error of helm for invalid values. */
export function helmError(values: Manifest): string {
  const { status, stderr } = template(values);
  if (status === 0) throw new Error("helm accepts these values");
  return stderr;
}

export const lint = (values: Manifest) => helm(["lint", "--strict", CHART], values);

const template = ({ image, ...values }: Manifest, name = "glovebox", namespace = "glovebox") =>
  helm(["template", name, CHART, "--namespace", namespace], {
    ...values,
    image: { registry: "localhost", ...image },
  });

export function find(manifests: readonly Manifest[], kind: string, name: string): Manifest {
  const found = manifests.find((it) => it["kind"] === kind && it["metadata"].name === name);
  if (!found) throw new Error(`The chart renders no ${kind} ${name}`);
  return found;
}

export const decode = (secret: Manifest, key: string): string =>
  Buffer.from(secret["data"][key], "base64").toString();

/** All pods of the chart, each with the kind and name of its workload. */
export function podsOf(
  manifests: readonly Manifest[],
): { name: string; namespace: string; spec: Manifest }[] {
  return manifests
    .filter(({ kind }) => ["Deployment", "Job", "Pod"].includes(kind))
    .map(({ kind, metadata, spec }) => ({
      name: `${kind} ${metadata.name}`,
      namespace: metadata.namespace,
      spec: kind === "Pod" ? spec : spec.template.spec,
    }));
}

export const containersOf = (spec: Manifest): Manifest[] => [
  ...(spec["initContainers"] ?? []),
  ...spec["containers"],
];
