import { parseDnsServers, parseEgressAllow } from "@glovebox/egress";
import { listOf, namespaceName, oneOf, optional, anyText, wholeNumber, postgresUrl } from "./parsers.ts";
import { setting } from "./setting.ts";

/** Settings that several programs have. If one of them gives it more meaning, its own table has that in `meaning`. */
export const SHARED_SETTINGS = {
  port: setting({
    variable: "PORT",
    type: "port number",
    default: "8080",
    meaning: "Port of the API; 0 takes any free one.",
    parse: wholeNumber(0, 65_535),
  }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    type: "postgres:// URL",
    meaning: "PostgreSQL to use. Required.",
    secret: true,
    parse: postgresUrl,
  }),
  namespace: setting({
    variable: "GLOVEBOX_NAMESPACE",
    type: "namespace",
    default: "glovebox-scans",
    meaning: "Namespace of the Scan resources.",
    parse: namespaceName,
  }),
  scanNamespaces: setting({
    variable: "GLOVEBOX_SCAN_NAMESPACES",
    type: "list of namespaces, with commas",
    meaning: "Other namespaces whose Scan resources are carried out.",
    parse: listOf(namespaceName),
  }),
  kubeconfig: setting({
    variable: "KUBECONFIG",
    type: "file (YAML)",
    meaning: "How to reach the cluster. Unset: as the service account of the pod that this runs in.",
    parse: optional(anyText),
  }),
  egressAllow: setting({
    variable: "GLOVEBOX_EGRESS_ALLOW",
    type: "list of CIDR or host:port, with commas",
    meaning: "Private addresses that may be scanned all the same.",
    parse: parseEgressAllow,
  }),
  dnsServers: setting({
    variable: "GLOVEBOX_DNS_SERVERS",
    type: "list of addresses, with commas",
    meaning: "Name servers that resolve the hosts of targets. Unset: those of /etc/resolv.conf.",
    parse: parseDnsServers,
  }),
  logLevel: setting({
    variable: "GLOVEBOX_LOG_LEVEL",
    type: "level",
    default: "info",
    meaning: "Minimum log level: trace, debug, info, warn, error, fatal or silent.",
    parse: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  }),
};
