import { apply, getJson, kubectl } from "./kubectl.ts";
import { until } from "./until.ts";

/** A ResourceQuota that is in force. */
export interface ResourceQuota {
  delete(): Promise<void>;
}

/** Applies a quota, such as `{ pods: "0" }`, and waits until the API server enforces it. */
export async function applyResourceQuota(
  namespace: string,
  name: string,
  hard: Readonly<Record<string, string>>,
): Promise<ResourceQuota> {
  await apply({ apiVersion: "v1", kind: "ResourceQuota", metadata: { name, namespace }, spec: { hard } });
  await until(`the ResourceQuota ${name} in force`, async () => {
    const { status } = await getJson<{ status?: { used?: object } }>("resourcequota", name, "-n", namespace);
    return status?.used !== undefined;
  });
  return {
    delete: async () => void (await kubectl(["delete", "resourcequota", name, "-n", namespace])),
  };
}
