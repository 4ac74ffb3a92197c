import { parseDnsServers, parseEgressAllow } from "@glovebox/egress";
import { listOf, namespaceName, oneOf, optional, anyText, wholeNumber, postgresUrl } from "./parsers.ts";
import { setting } from "./setting.ts";

/** Settings that several programs have. A program may override the `description` in its own table. */
export const SHARED_SETTINGS = {
  port: setting({
    variable: "PORT",
    type: "port number",
    default: "8080",
    description: "Port of the API; 0 selects a free port.",
    parse: wholeNumber(0, 65_535),
  }),
  databaseUrl: setting({
    variable: "DATABASE_URL",
    type: "postgres:// URL",
    description: "PostgreSQL to use. Required.",
    secret: true,
    parse: postgresUrl,
  }),
  namespace: setting({
    variable: "GLOVEBOX_NAMESPACE",
    type: "namespace",
    default: "glovebox-scans",
    description: "Namespace of the Scan resources.",
    parse: namespaceName,
  }),
  scanNamespaces: setting({
    variable: "GLOVEBOX_SCAN_NAMESPACES",
    type: "comma-separated list of namespaces",
    description: "Other namespaces whose Scan resources are run.",
    parse: listOf(namespaceName),
  }),
  kubeconfig: setting({
    variable: "KUBECONFIG",
    type: "file (YAML)",
    description: "kubeconfig file with the connection to the cluster. Unset: the service account of the pod.",
    parse: optional(anyText),
  }),
  egressAllow: setting({
    variable: "GLOVEBOX_EGRESS_ALLOW",
    type: "comma-separated list of CIDR or host:port",
    description: "Private addresses that scans may reach.",
    parse: parseEgressAllow,
  }),
  dnsServers: setting({
    variable: "GLOVEBOX_DNS_SERVERS",
    type: "comma-separated list of addresses",
    description:
      "Name servers that resolve the hosts of targets. Unset: the name servers in /etc/resolv.conf.",
    parse: parseDnsServers,
  }),
  maxConcurrentScansPerAccount: setting({
    variable: "GLOVEBOX_MAX_CONCURRENT_SCANS_PER_ACCOUNT",
    type: "number",
    default: "5",
    description: "Of those, scans of one account, 1 to 10000.",
    parse: wholeNumber(1, 10_000),
  }),
  maxConcurrentScansPerHost: setting({
    variable: "GLOVEBOX_MAX_CONCURRENT_SCANS_PER_HOST",
    type: "number",
    default: "2",
    description: "Of those, scans of one target host, 1 to 10000.",
    parse: wholeNumber(1, 10_000),
  }),
  logLevel: setting({
    variable: "GLOVEBOX_LOG_LEVEL",
    type: "level",
    default: "info",
    description: "Minimum log level: trace, debug, info, warn, error, fatal or silent.",
    parse: oneOf("trace", "debug", "info", "warn", "error", "fatal", "silent"),
  }),
};
