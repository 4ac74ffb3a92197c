import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { isIPv6 } from "node:net";
import { json } from "node:stream/consumers";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addressesForPods } from "./controller.ts";
import { apply, kubectl } from "./kubectl.ts";

/** What goes wrong with the scanner of one attempt (faulty-scanner.mjs). */
export interface Fault {
  readonly name: string;
  /** Bytes of noise, for faults that make some; of what comes out of the report, for those that deliver a bomb. */
  readonly noiseBytes?: number;
}

export type FaultOf = (attempt: number, scanId: string) => Fault | undefined;

export interface FaultyScanners {
  /** From now on each scan pod gets the fault of its attempt, or none. */
  choose(faultOf: FaultOf): void;
  close(): Promise<void>;
}

/**
 * Has the API server ask this process about each new pod of the namespace, and load a program before its scanner that
 * lets something go wrong: the image, and all else of the pod, is what the controller ordered.
 */
export async function faultyScanners(namespace: string): Promise<FaultyScanners> {
  const [address] = await addressesForPods();
  let choice: FaultOf = () => undefined;
  const { key, cert } = certificateOf(address!);
  const server = createServer({ key, cert }, (request, response) => {
    void answer(request, choice).then((review) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(review));
    });
  });
  server.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const host = isIPv6(address!) ? `[${address}]` : address;
  const program = readFileSync(new URL("faulty-scanner.mjs", import.meta.url), "utf8");
  const name = `faults-${namespace}`;
  await apply(
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "faults", namespace },
      data: { "faults.mjs": program },
    },
    webhook(name, { namespace, url: `https://${host}:${port}/`, cert }),
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
  { namespace, url, cert }: { namespace: string; url: string; cert: string },
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
      clientConfig: { url, caBundle: Buffer.from(cert).toString("base64") },
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

async function answer(request: IncomingMessage, faultOf: FaultOf) {
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
  // The first process of a container cannot be killed from inside of it.
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

/** For an address, its own authority. */
function certificateOf(address: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "glovebox-faults-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const request = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  const named = ["-subj", "/CN=faults", "-addext", `subjectAltName=IP:${address}`, "-days", "30"];
  try {
    execFileSync("openssl", [...request, ...named, "-keyout", key, "-out", cert], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
