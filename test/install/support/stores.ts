import { render, type Manifest } from "../../chart/helm.ts";
import { apply, createNamespace, getJson, kubectl } from "../../cluster/support/kubectl.ts";

const NAMESPACE = "glovebox-stores";

/** A PostgreSQL and a Redis that are not part of the release, with their URLs for pods. */
export interface Stores {
  readonly databaseUrl: string;
  readonly cacheUrl: string;
  remove(): Promise<void>;
}

/** Installs the PostgreSQL and the Redis of an evaluation in a separate namespace. */
export async function startStores(values: Manifest): Promise<Stores> {
  const manifests = render({ ...values, evaluation: true, networkPolicy: { enabled: false } });
  const own = manifests.filter(({ metadata }) =>
    ["postgres", "redis"].includes(metadata.labels?.["app.kubernetes.io/component"]),
  );
  await createNamespace(NAMESPACE);
  await apply(
    ...own.map((manifest) => ({ ...manifest, metadata: { ...manifest["metadata"], namespace: NAMESPACE } })),
  );
  for (const name of ["postgres", "redis"])
    await kubectl(["rollout", "status", `deployment/glovebox-${name}`, "-n", NAMESPACE, "--timeout=180s"]);
  return {
    databaseUrl: await urlOf("glovebox-postgres"),
    cacheUrl: await urlOf("glovebox-redis"),
    remove: async () => void (await kubectl(["delete", "namespace", NAMESPACE, "--ignore-not-found"])),
  };
}

async function urlOf(name: string): Promise<string> {
  const { data } = await getJson<{ data: { url: string } }>("secret", name, "-n", NAMESPACE);
  return Buffer.from(data.url, "base64").toString().replace(`@${name}:`, `@${name}.${NAMESPACE}:`);
}
