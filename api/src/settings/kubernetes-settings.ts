import {
  SHARED_SETTINGS,
  matching,
  oneOf,
  optional,
  setting,
  type SettingsOf,
  wholeNumber,
} from "@glovebox/settings";
import { API_SETTINGS } from "./api-settings.ts";

const { databaseUrl, namespace, scanNamespaces, kubeconfig } = SHARED_SETTINGS;

/** The settings of the API on Kubernetes. */
export const KUBERNETES_SETTINGS = {
  ...API_SETTINGS,
  host: setting({
    ...API_SETTINGS.host,
    default: "0.0.0.0",
    description: "Address that the API listens on.",
  }),
  metricsPort: setting({
    variable: "GLOVEBOX_METRICS_PORT",
    type: "port number",
    description: "Port of `/metrics`, which is then not served at `PORT`. Unset: `PORT`.",
    parse: optional(wholeNumber(1, 65_535)),
  }),
  databaseUrl,
  migrate: setting({
    variable: "GLOVEBOX_MIGRATE",
    type: "off or auto",
    default: "off",
    description:
      "auto: the API migrates a database that has no schema, at its start and later. For evaluations only.",
    parse: oneOf("off", "auto"),
  }),
  namespace,
  scanNamespaces,
  kubeconfig,
  sweepSeconds: setting({
    variable: "GLOVEBOX_SWEEP_SECONDS",
    type: "seconds",
    default: "10",
    description: "How often scans without a Scan resource are launched again, 1 to 3600.",
    parse: wholeNumber(1, 3600),
  }),
  firstAdministratorToken: setting({
    variable: "GLOVEBOX_FIRST_ADMINISTRATOR_TOKEN",
    type: "43 letters, digits, - and _",
    description:
      "While the service has no user, the link `/invitation/` with this token creates the first administrator. The chart generates it.",
    secret: true,
    parse: optional(matching(/^[\w-]{43}$/, "must be 43 letters, digits, - and _")),
  }),
  maxDatabaseConnections: setting({
    variable: "GLOVEBOX_MAX_DATABASE_CONNECTIONS",
    type: "number",
    default: "10",
    description:
      "Connections of each replica to PostgreSQL, 1 to 100. Up to four more are used for notifications, readiness, sweeps and retention.",
    parse: wholeNumber(1, 100),
  }),
};

export type KubernetesSettings = SettingsOf<typeof KUBERNETES_SETTINGS>;
