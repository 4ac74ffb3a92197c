import { IDENTITIES_FILE, type IdentitiesFile } from "@glovebox/contract";
import { API_NAME, identitiesSecretName, LABELS, ownerReferenceOf, type ScanResource } from "@glovebox/k8s";
import { isAlreadyExists, objects, SECRETS, type KubeObject, type KubeTransport } from "@glovebox/kube";
import type { Store } from "@glovebox/store";

/** Where the identities of a scan are until it has ended. */
export type IdentitySource = Pick<Store["identities"], "ofScan">;

/**
 * Creates the Secret with the identities of the scan, which the Job of this Scan alone mounts. Kubernetes deletes it with the Scan, and
 * the controller when the scan has ended. One of its name is left alone: the API may create Secrets and not read them.
 * @throws KubeError
 */
export async function createIdentitiesSecret(
  transport: KubeTransport,
  scan: ScanResource,
  file: IdentitiesFile,
): Promise<void> {
  const secrets = objects<KubeObject>(transport, SECRETS);
  await secrets.create(scan.metadata.namespace, secretOf(scan, file)).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

function secretOf({ metadata }: ScanResource, file: IdentitiesFile): KubeObject {
  const { namespace, name, uid } = metadata;
  const owner = ownerReferenceOf({ name, uid });
  const secret = {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: identitiesSecretName(name),
      namespace,
      labels: { [LABELS.managedBy]: API_NAME, [LABELS.scan]: name },
      ownerReferences: [owner],
    },
    type: "Opaque",
    immutable: true,
    // JSON is YAML.
    stringData: { [IDENTITIES_FILE]: JSON.stringify(file) },
  };
  return secret;
}
