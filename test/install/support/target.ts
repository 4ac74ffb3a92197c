import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { certificateOf } from "../../cluster/support/certificate.ts";
import { apply } from "../../cluster/support/kubectl.ts";
import { startTarget as startPod, targetSettings } from "../../cluster/support/target.ts";

/** The API that the README's commands scan. */
export interface InstallTarget {
  /** Its name, which the cluster's DNS knows. */
  readonly host: string;
  readonly address: string;
  /** PEM. */
  readonly caPem: string;
  remove(): Promise<void>;
}

const SERVER = fileURLToPath(new URL("../../cluster/support/target-server.mjs", import.meta.url));
const NAMESPACE = "glovebox-install-target";

/**
 * Outside the cluster where GLOVEBOX_CLUSTER_WORLD runs commands there, on an address of GLOVEBOX_CLUSTER_WORLD_CIDRS, and
 * GLOVEBOX_CLUSTER_HOSTS is a file of names that the cluster's DNS answers with; else in a pod.
 */
export async function startTarget(delayMs = 0): Promise<InstallTarget> {
  const { GLOVEBOX_CLUSTER_WORLD, GLOVEBOX_CLUSTER_WORLD_CIDRS, GLOVEBOX_CLUSTER_HOSTS } = process.env;
  if (GLOVEBOX_CLUSTER_WORLD && GLOVEBOX_CLUSTER_WORLD_CIDRS && GLOVEBOX_CLUSTER_HOSTS) {
    const [network] = GLOVEBOX_CLUSTER_WORLD_CIDRS.split(/[ /]/);
    const address = network!.replace(/\.0$/, ".20");
    const host = "api.shop.example";
    const line = `${address} ${host}\n`;
    if (!readFileSync(GLOVEBOX_CLUSTER_HOSTS, "utf8").includes(line))
      appendFileSync(GLOVEBOX_CLUSTER_HOSTS, line);
    return startOutside({ command: GLOVEBOX_CLUSTER_WORLD, host, address, delayMs });
  }
  return startInside(delayMs);
}

interface Outside {
  readonly command: string;
  readonly host: string;
  readonly address: string;
  readonly delayMs: number;
}

async function startOutside({ command, host, address, delayMs }: Outside): Promise<InstallTarget> {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-target-"));
  const { certPem, keyPem } = certificateOf(host);
  copyFileSync(SERVER, join(folder, "server.mjs"));
  writeFileSync(join(folder, "cert.pem"), certPem);
  writeFileSync(join(folder, "key.pem"), keyPem);
  const server = spawn(command, [process.execPath, join(folder, "server.mjs")], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...targetSettings({ hostName: host, delayMs }) },
  });
  const ended = once(server, "close");
  const gone = ended.then(() => Promise.reject(new Error("The target ended before it listened.")));
  await Promise.race([once(createInterface({ input: server.stdout }), "line"), gone]);
  gone.catch(() => undefined);
  return {
    host,
    address,
    caPem: certPem,
    async remove() {
      server.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startInside(delayMs: number): Promise<InstallTarget> {
  const host = `target.${NAMESPACE}.svc.cluster.local`;
  const target = await startPod({ namespace: NAMESPACE, hostName: host, delayMs });
  // Without an address of its own, so that its name is the pod's.
  await apply({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "target", namespace: NAMESPACE },
    spec: { clusterIP: "None", selector: { app: "target" }, ports: [{ port: 443 }] },
  });
  return { host, address: target.address, caPem: target.caPem, remove: () => target.remove() };
}
