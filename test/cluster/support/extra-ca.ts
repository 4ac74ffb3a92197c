/** Name of the ConfigMap that the controller is told of. */
export const EXTRA_CA = "extra-ca";

/** The certificates that the scans of a namespace trust. */
export const extraCaObject = (namespace: string, pem: string): object => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: EXTRA_CA, namespace },
  data: { "extra-ca.pem": pem },
});
