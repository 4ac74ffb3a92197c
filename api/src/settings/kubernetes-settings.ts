import * as z from "zod";
import { API_SETTINGS } from "./api-settings.ts";
import { urlOf, wholeNumber } from "./schemas.ts";
import { setting, type SettingsOf } from "./setting.ts";

const namespace = z
  .string()
  .regex(/^(?=.{1,63}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, "must be the name of a namespace");

/** The settings of the API on Kubernetes. */
export const KUBERNETES_SETTINGS = {
  ...API_SETTINGS,
  host: setting({ ...API_SETTINGS.host, fallback: "0.0.0.0", meaning: "Address that the API listens on." }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    type: "postgres:// URL",
    meaning: "PostgreSQL to use. It must be set.",
    schema: urlOf(["postgres:", "postgresql:"]),
  }),
  migrate: setting({
    variable: "GLOVEBOX_MIGRATE",
    type: "off or auto",
    fallback: "off",
    meaning:
      "auto: the API migrates a database without a schema by itself, at its start and whenever it comes back empty. For evaluations.",
    schema: z.enum(["off", "auto"], { error: "must be off or auto" }),
  }),
  namespace: setting({
    variable: "GLOVEBOX_NAMESPACE",
    type: "namespace",
    fallback: "glovebox-scans",
    meaning: "Namespace of the Scan resources.",
    schema: namespace,
  }),
  scanNamespaces: setting({
    variable: "GLOVEBOX_SCAN_NAMESPACES",
    type: "list of namespaces, with commas",
    meaning: "Other namespaces whose Scan resources are carried out.",
    schema: z
      .string()
      .default("")
      .transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== ""))
      .pipe(z.array(namespace)),
  }),
  kubeconfig: setting({
    variable: "KUBECONFIG",
    type: "file (YAML)",
    meaning: "How to reach the cluster. Unset: as the service account of the pod that this runs in.",
    schema: z.string().optional(),
  }),
  sweepSeconds: setting({
    variable: "GLOVEBOX_SWEEP_SECONDS",
    type: "seconds",
    fallback: "10",
    meaning: "How often scans whose Scan resource could not be made at once are looked for, 1 to 3600.",
    schema: wholeNumber(1, 3600),
  }),
  maxDatabaseConnections: setting({
    variable: "GLOVEBOX_MAX_DATABASE_CONNECTIONS",
    type: "number",
    fallback: "10",
    meaning:
      "Connections of each replica to PostgreSQL, 1 to 100; up to four more listen, answer readiness, sweep and delete.",
    schema: wholeNumber(1, 100),
  }),
};

export type KubernetesSettings = SettingsOf<typeof KUBERNETES_SETTINGS>;
