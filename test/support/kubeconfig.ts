/** A kubeconfig of one cluster, one user and one context, as JSON, which every reader of YAML takes. */
export const kubeconfigOf = (cluster: object, user: object = {}): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    clusters: [{ name: "test", cluster }],
    users: [{ name: "test", user }],
  });
