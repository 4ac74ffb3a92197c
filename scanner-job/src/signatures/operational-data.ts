import { isObject, nameOf, walk } from "../json.ts";
import { lettersOf } from "../names.ts";
import { isEnvironment } from "./environment.ts";

/** Different settings or states of a program from which on a response describes how a server is set up or runs. */
const ENOUGH = 3;

/**
 * True for JSON that describes how a server is set up or runs: its configuration, environment, processes, jobs or file system.
 * Only values that such settings have count.
 */
export function isOperational(json: unknown): boolean {
  if (isEnvironment(json)) return true;
  const seen = new Set<string>();
  for (const node of walk(json, { depth: 6, items: 20, values: 3_000 })) {
    const name = lettersOf(nameOf(node));
    const known = SETTINGS.find((setting) => setting.name.test(name) && setting.holds(node.value));
    if (known) seen.add(name);
    if (seen.size >= ENOUGH) return true;
  }
  return false;
}

/** True for JSON with accounts that show who may do what: a name to sign in with beside a role or a right. */
export const holdsPrivileges = (json: unknown): boolean =>
  [...walk(json, { depth: 5, items: 50, values: 3_000 })].some(({ value }) => {
    if (!isObject(value)) return false;
    const names = Object.entries(value)
      .filter(([, each]) => each !== null && each !== "")
      .map(([name]) => lettersOf(name));
    return names.some((name) => ACCOUNT.test(name)) && names.some((name) => PRIVILEGE.test(name));
  });

const ACCOUNT = /^(user|username|login|loginname|email|emailaddress|handle|account|accountname|principal)$/;
const PRIVILEGE =
  /^(roles?|rolename|permissions?|privileges?|authorities|scopes?|acls?|is(admin|administrator|superuser|staff)|admin|superuser)$/;

const isNumber = (value: unknown): boolean =>
  typeof value === "number" || /^\d+(\.\d+)?$/.test(String(value));
const isText = (value: unknown): boolean => typeof value === "string" && value !== "";
const isPath = (value: unknown): boolean =>
  typeof value === "string" && /^(file:\/\/)?(\/[\w.-]+){2,}|^[A-Z]:\\/.test(value);
const isAddress = (value: unknown): boolean =>
  typeof value === "string" && /^(\w+:\/\/)?[\w.-]*(:\d{2,5})?(\/\S*)?$/.test(value) && /[.:]/.test(value);
const isAny = (value: unknown): boolean => value !== null && value !== "";

const SETTINGS: readonly { readonly name: RegExp; readonly holds: (value: unknown) => boolean }[] = [
  {
    name: /^(\w*port|pid|ppid|uid|gid|\w*timeout(ms|seconds)?|\w*retries|maxconnections|poolsize|workers|replicas)$/,
    holds: isNumber,
  },
  {
    name: /^(uptime\w*|cpu\w*|memory\w*|mem\w*|heap\w*|threads|goroutines|loadavg|diskusage|rss|partitions?)$/,
    holds: isAny,
  },
  {
    name: /^(os|arch|kernel|platform|hostname|nodename|loglevel|namespace|cluster\w*|consumergroup)$/,
    holds: isText,
  },
  {
    name: /^(\w*(dir|directory|path|root|folder)|filename|cwd|executable|binary|logfile|configfile)$/,
    holds: isPath,
  },
  {
    name: /^(host|bind|listen|address|server|servers|broker|brokers|upstream|datasource|dsn|jdbcurl|database(url|host)|proxy|bootstrapservers|endpoint)$/,
    holds: isAddress,
  },
  {
    name: /^(command|cmd|entrypoint|args|argv|cron|crontab|query|sql|script|image|driver|connectorclass|taskclass)$/,
    holds: isText,
  },
  {
    name: /^(debug|tls|ssl|verbose|readonly|privileged|autostart|insecure|allow\w+|enable\w+|\w+enabled)$/,
    holds: (value) => typeof value === "boolean",
  },
  {
    name: /^(env|environment|volumes|mounts|plugins|processes|permissions|mode)$/,
    holds: (value) => typeof value === "object" && value !== null,
  },
];
