export { API_SETTINGS } from "./api-settings.ts";
export { KUBERNETES_SETTINGS } from "./kubernetes-settings.ts";
export type { KubernetesSettings } from "./kubernetes-settings.ts";
export type { OidcProvider } from "./oidc-providers.ts";
