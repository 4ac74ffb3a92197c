/** Address of the metadata services of the clouds (link-local, RFC 3927): requests to it stay inside the target's host. */
export const METADATA_HOST = "169.254.169.254";

/** Paths that respond without a special header: AWS and compatible services, DigitalOcean, OpenStack. */
export const METADATA_PATHS = [
  "/latest/meta-data/",
  "/metadata/v1.json",
  "/openstack/latest/meta_data.json",
] as const;

/** Keys of the metadata documents that occur in the text, as whole words. Two or more identify a metadata service. */
export function metadataKeys(text: string): string[] {
  const lines = text.slice(0, 65_536).replace(/\\[nrt]/g, "\n"); // escaped where the text is inside JSON
  const words = new Set(lines.match(/[A-Za-z][\w-]{3,40}/g));
  return KEYS.filter((key) => words.has(key));
}

const KEYS = [
  "ami-id",
  "ami-launch-index",
  "ami-manifest-path",
  "instance-id",
  "instance-type",
  "instance-action",
  "local-ipv4",
  "local-hostname",
  "public-keys",
  "reservation-id",
  "security-groups",
  "block-device-mapping",
  "droplet_id",
  "vendor_data",
  "anchor_ipv4",
  "availability_zone",
  "launch_index",
  "random_seed",
  "AccessKeyId",
  "SecretAccessKey",
];
