import { readFileSync } from "node:fs";
import { apply } from "./kubectl.ts";
import { type AdmittedPod, mutateScanPods } from "./pod-webhook.ts";

/** The fault of the scanner of one attempt (faulty-scanner.mjs). */
export interface Fault {
  readonly name: string;
  /** Size in bytes: of the noise in the log, or of the uncompressed report. */
  readonly noiseBytes?: number;
}

export type FaultOf = (attempt: number, scanId: string) => Fault | undefined;

export interface FaultyScanners {
  /** Sets the fault of each scan pod that is created from now on; undefined means none. */
  choose(faultOf: FaultOf): void;
  close(): Promise<void>;
}

/**
 * Installs a mutating admission webhook for the pods of the namespace, served by this process. It makes the scanner load a module
 * that injects faults. The image and all other fields of the pod are as the controller set them.
 */
export async function faultyScanners(namespace: string): Promise<FaultyScanners> {
  let choice: FaultOf = () => undefined;
  const program = readFileSync(new URL("faulty-scanner.mjs", import.meta.url), "utf8");
  await apply({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "faults", namespace },
    data: { "faults.mjs": program },
  });
  const close = await mutateScanPods(namespace, ({ metadata: { labels }, spec }) => {
    const fault = choice(Number(labels["glovebox.dev/attempt"]), labels["glovebox.dev/scan"]!);
    return fault && patchOf(fault, spec);
  });
  return { choose: (faultOf) => void (choice = faultOf), close };
}

const patchOf = ({ name, noiseBytes = 0 }: Fault, { containers }: AdmittedPod["spec"]) => [
  // A process with the id 1 cannot be killed from inside its container.
  { op: "add", path: "/spec/shareProcessNamespace", value: true },
  {
    op: "add",
    path: "/spec/containers/0/env",
    value: [
      ...(containers[0]!.env ?? []),
      { name: "NODE_OPTIONS", value: "--import=/faults/faults.mjs" },
      { name: "FAULT", value: name },
      { name: "NOISE_BYTES", value: String(noiseBytes) },
    ],
  },
  { op: "add", path: "/spec/volumes/-", value: { name: "faults", configMap: { name: "faults" } } },
  { op: "add", path: "/spec/containers/0/volumeMounts/-", value: { name: "faults", mountPath: "/faults" } },
];
