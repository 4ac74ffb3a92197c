import { apply, kubectl } from "./kubectl.ts";

export interface Definition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  /** The fields that Glovebox uses, so that the API server drops others. */
  readonly schema: object;
}

/** Installs a resource definition of another project, unless the cluster has it; returns what removes it again. */
export async function installDefinition({
  group,
  version,
  kind,
  plural,
  schema,
}: Definition): Promise<() => Promise<void>> {
  const name = `${plural}.${group}`;
  const present = await kubectl(["get", "crd", name, "--ignore-not-found", "--output", "name"]);
  if (present.trim() !== "") return async () => undefined;
  await apply({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name, annotations: { "api-approved.kubernetes.io": "unapproved, test" } },
    spec: {
      group,
      scope: "Namespaced",
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  });
  await kubectl(["wait", `crd/${name}`, "--for=condition=Established", "--timeout=60s"]);
  return async () => void (await kubectl(["delete", "crd", name, "--ignore-not-found"]));
}
