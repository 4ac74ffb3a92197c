import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getJson, kubectl } from "../../cluster/support/kubectl.ts";
import { until } from "../../cluster/support/until.ts";
import { shell } from "./shell.ts";
import type { InstallTarget } from "./target.ts";

/** A release named `glovebox` in a namespace of the same name, as the README installs it. */
export interface Installation {
  /** `--values` options for `helm install` and `helm upgrade`: images, the target's address and certificate. */
  readonly values: string;
  /** Deletes the release, its namespace and the resource definitions. */
  remove(): Promise<void>;
}

/**
 * Writes the values for the images of `npm run images` and the target. GLOVEBOX_TEST_VALUES is a file of further values.
 * @throws Error if the cluster has a Glovebox: tests never delete its scans
 */
export async function prepareInstallation(target: InstallTarget): Promise<Installation> {
  await assertNoGlovebox();
  const folder = mkdtempSync(join(tmpdir(), "glovebox-install-"));
  const images = join(folder, "images.json");
  writeFileSync(images, JSON.stringify({ image: { registry: "localhost", tag: "dev" } }));
  const file = join(folder, "target.json");
  const scanner = { egress: { allow: [`${target.address}/32`] }, extraCA: target.caPem };
  writeFileSync(file, JSON.stringify({ scanner, scanNamespace: { account: "default" } }));
  const { GLOVEBOX_TEST_VALUES: furtherValues } = process.env;
  return {
    values: [images, ...(furtherValues ? [furtherValues] : []), file]
      .map((path) => `--values ${path}`)
      .join(" "),
    async remove() {
      await shell(["helm uninstall glovebox --namespace glovebox --ignore-not-found --wait --timeout 3m"]);
      await kubectl(["delete", "namespace", "glovebox", "--ignore-not-found"]);
      await deleteDefinitions();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const deleteDefinitions = (): Promise<string> =>
  kubectl(["delete", "crd", "scans.glovebox.dev", "scanschedules.glovebox.dev", "--ignore-not-found"]);

/** A resource definition without Scans is what an uninstall leaves: it is deleted. */
async function assertNoGlovebox(): Promise<void> {
  const present = await kubectl(["get", "namespace", "glovebox", "--ignore-not-found", "--output=name"]);
  const scans = await kubectl(["get", "scans.glovebox.dev", "-A", "--output=name"]).catch(() => "");
  if (present || scans)
    throw new Error("This cluster has a Glovebox already: remove it, or use another cluster.");
  await deleteDefinitions();
}

export const firstKey = async (): Promise<string> => {
  const { data } = await getJson<{ data: { key: string } }>("secret", "glovebox-first-key", "-n", "glovebox");
  return Buffer.from(data.key, "base64").toString();
};

export interface ApiRequest {
  /** By default the first API key. */
  readonly key?: string;
  /** Options of curl. */
  readonly options?: string;
}

/** Sends a request to the API through `kubectl port-forward`, and returns the parsed body. */
export async function requestApi<T>(path: string, { key, options = "" }: ApiRequest = {}): Promise<T> {
  // curl truncates a file before it repeats a request, but not its stdout.
  const body = await shell([
    "kubectl --namespace glovebox port-forward service/glovebox-api 18080:80 >/dev/null &",
    "response=$(mktemp)",
    `curl --silent --show-error --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:18080${path} \
      --output "$response" --header 'Authorization: Bearer ${key ?? (await firstKey())}' ${options}`,
    'cat "$response" && rm "$response"',
  ]);
  return JSON.parse(body) as T;
}

/** Options of curl for a POST that submits a scan of the target and does not wait for its end. */
export function scanRequest({ host }: InstallTarget): string {
  const body = { url: `https://${host}/v1`, specUrl: `https://${host}/openapi.json` };
  return `--header 'Prefer: respond-async' --json '${JSON.stringify(body)}'`;
}

/** Waits until the scan has ended, and returns it as GET /v1/scan/{id} does. */
export const endedScan = (id: string, key?: string): Promise<EndedScan> =>
  until(`the end of ${id}`, async () => {
    const scan = await requestApi<EndedScan>(`/v1/scan/${id}`, key === undefined ? {} : { key });
    return scan.status !== "processing" && scan;
  });

export interface EndedScan {
  readonly id: string;
  readonly status: string;
  readonly findings: readonly { readonly title: string }[];
}

/** Kinds whose objects the cluster itself creates and deletes. */
const VOLATILE = /^(events|leases|endpoints|endpointslices|componentstatuses|controllerrevisions)\b/;

/** All objects of the cluster that a release could have created, as `namespace/kind/name`. */
export async function allObjects(): Promise<Set<string>> {
  const listed = await kubectl(["api-resources", "--verbs=list", "--output=name"]);
  const kinds = listed.split("\n").filter((kind) => kind !== "" && !VOLATILE.test(kind));
  const columns = "custom-columns=NAMESPACE:.metadata.namespace,KIND:.kind,NAME:.metadata.name";
  const objects = await kubectl(["get", kinds.join(","), "-A", "--no-headers", "--output", columns]);
  return new Set(
    objects
      .split("\n")
      .filter(Boolean)
      .map((line) => line.trim().split(/\s+/).join("/")),
  );
}
