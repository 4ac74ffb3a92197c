import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { selfSignedCertificate } from "./certificate.ts";
import { hostPort } from "./cluster-addresses.ts";
import { addressesForPods } from "./controller.ts";
import { apply, kubectl } from "./kubectl.ts";

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
  const [address] = await addressesForPods();
  let choice: FaultOf = () => undefined;
  const { certPem, keyPem } = selfSignedCertificate(address!);
  const server = createServer({ key: keyPem, cert: certPem }, (request, response) => {
    void review(request, choice).then((body) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const program = readFileSync(new URL("faulty-scanner.mjs", import.meta.url), "utf8");
  const name = `faults-${namespace}`;
  await apply(
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "faults", namespace },
      data: { "faults.mjs": program },
    },
    webhook(name, { namespace, url: `https://${hostPort(address!, port)}/`, caPem: certPem }),
  );
  return {
    choose: (faultOf) => void (choice = faultOf),
    async close() {
      await kubectl(["delete", "mutatingwebhookconfiguration", name, "--ignore-not-found"]);
      server.closeAllConnections();
      server.close();
    },
  };
}

const webhook = (
  name: string,
  { namespace, url, caPem }: { namespace: string; url: string; caPem: string },
) => ({
  apiVersion: "admissionregistration.k8s.io/v1",
  kind: "MutatingWebhookConfiguration",
  metadata: { name },
  webhooks: [
    {
      name: "faults.glovebox.example",
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      failurePolicy: "Fail",
      namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
      objectSelector: { matchExpressions: [{ key: "glovebox.dev/attempt", operator: "Exists" }] },
      clientConfig: { url, caBundle: Buffer.from(caPem).toString("base64") },
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
    },
  ],
});

interface AdmissionReview {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly object: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: { readonly containers: readonly { readonly env?: readonly object[] }[] };
    };
  };
}

async function review(request: IncomingMessage, faultOf: FaultOf) {
  const {
    apiVersion,
    kind,
    request: { uid, object },
  } = (await json(request)) as AdmissionReview;
  const { labels } = object.metadata;
  const fault = faultOf(Number(labels["glovebox.dev/attempt"]), labels["glovebox.dev/scan"]!);
  const patch = fault && Buffer.from(JSON.stringify(patchOf(fault, object.spec))).toString("base64");
  return {
    apiVersion,
    kind,
    response: { uid, allowed: true, ...(patch && { patchType: "JSONPatch", patch }) },
  };
}

const patchOf = (
  { name, noiseBytes = 0 }: Fault,
  { containers }: AdmissionReview["request"]["object"]["spec"],
) => [
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
