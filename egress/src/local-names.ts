/** Endings under which no public host can be: special use (RFC 6761, 6762, 8375), ICANN's `internal`, and habit. */
const LOCAL_ENDINGS = [
  "localhost",
  "localdomain",
  "local",
  "internal",
  "intranet",
  "private",
  "corp",
  "home",
  "lan",
  "home.arpa",
  "svc",
  "cluster.local",
  "kubernetes.default",
] as const;

/** Names under which clouds serve credentials to their machines. */
const METADATA_NAMES = ["metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"];

/** Why a name is local by nature, or undefined. Takes the normal form: lower case, punycode, no trailing dot. */
export function localNameReason(name: string): string | undefined {
  if (METADATA_NAMES.some((ending) => endsIn(name, ending))) return "metadata name";
  if (LOCAL_ENDINGS.some((ending) => endsIn(name, ending))) return "local name";
  return name.includes(".") ? undefined : "single-label name";
}

const endsIn = (name: string, ending: string): boolean => name === ending || name.endsWith(`.${ending}`);
