import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { selfSignedCertificate } from "./certificate.ts";
import { hostPort } from "./cluster-addresses.ts";
import { addressesForPods } from "./controller.ts";
import { apply, kubectl } from "./kubectl.ts";

/** The fields of a pod that webhooks of tests read. */
export interface AdmittedPod {
  readonly metadata: { readonly labels: Readonly<Record<string, string>> };
  readonly spec: { readonly containers: readonly { readonly env?: readonly object[] }[] };
}

/** The JSON Patch (RFC 6902) of a pod; undefined leaves it as it is. */
export type PatchOfPod = (pod: AdmittedPod) => readonly object[] | undefined;

/**
 * Installs a mutating admission webhook for the scan pods of the namespace, served by this process. Returns a function that removes
 * it.
 */
export async function mutateScanPods(namespace: string, patchOf: PatchOfPod): Promise<() => Promise<void>> {
  const [address] = await addressesForPods();
  const { certPem, keyPem } = selfSignedCertificate(address!);
  const server = createServer({ key: keyPem, cert: certPem }, (request, response) => {
    void review(request, patchOf).then((body) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(body));
    });
  });
  server.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const name = `pods-${namespace}`;
  await apply(webhook(name, { namespace, url: `https://${hostPort(address!, port)}/`, caPem: certPem }));
  return async () => {
    await kubectl(["delete", "mutatingwebhookconfiguration", name, "--ignore-not-found"]);
    server.closeAllConnections();
    server.close();
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
      name: "pods.glovebox.example",
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
  readonly request: { readonly uid: string; readonly object: AdmittedPod };
}

async function review(request: IncomingMessage, patchOf: PatchOfPod) {
  const {
    apiVersion,
    kind,
    request: { uid, object },
  } = (await json(request)) as AdmissionReview;
  const operations = patchOf(object);
  const patch = operations && Buffer.from(JSON.stringify(operations)).toString("base64");
  return {
    apiVersion,
    kind,
    response: { uid, allowed: true, ...(patch && { patchType: "JSONPatch", patch }) },
  };
}
