import { appendFileSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { selfSignedCertificate } from "../../cluster/support/certificate.ts";
import { apply } from "../../cluster/support/kubectl.ts";
import { outsideOfCluster, serveOutside, type Outside } from "../../cluster/support/outside.ts";
import { startTarget as startPod, targetSettings } from "../../cluster/support/target.ts";

/** The API that the README's commands scan. */
export interface InstallTarget {
  /** A name that the cluster's DNS resolves. */
  readonly host: string;
  readonly address: string;
  /** PEM. */
  readonly caPem: string;
  remove(): Promise<void>;
}

const SERVER = fileURLToPath(new URL("../../cluster/support/target-server.mjs", import.meta.url));
const NAMESPACE = "glovebox-install-target";

/**
 * Starts the target outside the cluster if GLOVEBOX_CLUSTER_WORLD runs commands there, on an address of
 * GLOVEBOX_CLUSTER_WORLD_CIDRS, and GLOVEBOX_CLUSTER_HOSTS is a hosts file of the cluster's DNS. Otherwise in a pod.
 */
export async function startTarget(delayMs = 0): Promise<InstallTarget> {
  const names = process.env["GLOVEBOX_CLUSTER_HOSTS"];
  const outside = outsideOfCluster();
  return outside && names ? startOutside(outside, names, delayMs) : startInside(delayMs);
}

async function startOutside(outside: Outside, names: string, delayMs: number): Promise<InstallTarget> {
  const host = "api.shop.example";
  const address = `${outside.network}.20`;
  const line = `${address} ${host}\n`;
  if (!readFileSync(names, "utf8").includes(line)) appendFileSync(names, line);
  const { certPem, keyPem } = selfSignedCertificate(host);
  const env = targetSettings({ hostName: host, delayMs });
  const server = await serveOutside(outside, { program: SERVER, address, certPem, keyPem, env });
  return { host, address, caPem: certPem, remove: () => server.stop() };
}

async function startInside(delayMs: number): Promise<InstallTarget> {
  const host = `target.${NAMESPACE}.svc.cluster.local`;
  const target = await startPod({ namespace: NAMESPACE, hostName: host, delayMs });
  // A headless Service: its name resolves to the address of the pod.
  await apply({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "target", namespace: NAMESPACE },
    spec: { clusterIP: "None", selector: { app: "target" }, ports: [{ port: 443 }] },
  });
  return { host, address: target.address, caPem: target.caPem, remove: () => target.remove() };
}
