import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getJson, kubectl } from "../../cluster/support/kubectl.ts";
import { until } from "../../cluster/support/until.ts";
import { shell } from "./shell.ts";
import type { InstallTarget } from "./target.ts";

/** A release named `glovebox` in a namespace of the same name, as the README installs it. */
export interface Installation {
  /** What `helm install` and `helm upgrade` get beside the README's values: the target may be scanned and is trusted. */
  readonly values: string;
  /** Takes the release away, and its namespace, and its resource. */
  remove(): Promise<void>;
}

/**
 * The images are those of `npm run images`; other values of this cluster come from the file of GLOVEBOX_TEST_VALUES.
 * @throws where there is a Glovebox already: nobody's scans are removed for a test
 */
export async function prepareInstallation(target: InstallTarget): Promise<Installation> {
  await assertNoGlovebox();
  const folder = mkdtempSync(join(tmpdir(), "glovebox-install-"));
  const images = join(folder, "images.json");
  writeFileSync(images, JSON.stringify({ image: { registry: "localhost", tag: "dev" } }));
  const file = join(folder, "target.json");
  const scanner = { egress: { allow: [`${target.address}/32`] }, extraCA: target.caPem };
  writeFileSync(file, JSON.stringify({ scanner, scanNamespace: { account: "default" } }));
  const { GLOVEBOX_TEST_VALUES: more } = process.env;
  return {
    values: [images, ...(more ? [more] : []), file].map((path) => `--values ${path}`).join(" "),
    async remove() {
      await shell(["helm uninstall glovebox --namespace glovebox --ignore-not-found --wait --timeout 3m"]);
      await kubectl(["delete", "namespace", "glovebox", "--ignore-not-found"]);
      await kubectl(["delete", "crd", "scans.glovebox.dev", "--ignore-not-found"]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What an uninstall leaves is no Glovebox: the resource, without a Scan. */
async function assertNoGlovebox(): Promise<void> {
  const present = await kubectl(["get", "namespace", "glovebox", "--ignore-not-found", "--output=name"]);
  const scans = await kubectl(["get", "scans.glovebox.dev", "-A", "--output=name"]).catch(() => "");
  if (present || scans)
    throw new Error("This cluster has a Glovebox already: remove it, or use another cluster.");
  await kubectl(["delete", "crd", "scans.glovebox.dev", "--ignore-not-found"]);
}

export const firstKey = async (): Promise<string> => {
  const { data } = await getJson<{ data: { key: string } }>("secret", "glovebox-first-key", "-n", "glovebox");
  return Buffer.from(data.key, "base64").toString();
};

export interface Question {
  /** The first API key unless given. */
  readonly key?: string;
  /** Of curl. */
  readonly options?: string;
}

/** Asks the API as a user outside the cluster does, through a port-forward of its own. */
export async function askApi<T>(path: string, { key, options = "" }: Question = {}): Promise<T> {
  // What a try that is repeated was answered goes: a file is begun anew, standard output is not.
  const answer = await shell([
    "kubectl --namespace glovebox port-forward service/glovebox-api 18080:80 >/dev/null &",
    "answer=$(mktemp)",
    `curl --silent --show-error --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:18080${path} \
      --output "$answer" --header 'Authorization: Bearer ${key ?? (await firstKey())}' ${options}`,
    'cat "$answer" && rm "$answer"',
  ]);
  return JSON.parse(answer) as T;
}

/** A scan as GET /v1/scan/{id} tells of it, once it has ended. */
export const endedScan = (id: string, key?: string): Promise<EndedScan> =>
  until(`the end of ${id}`, async () => {
    const scan = await askApi<EndedScan>(`/v1/scan/${id}`, key === undefined ? {} : { key });
    return scan.status !== "processing" && scan;
  });

export interface EndedScan {
  readonly id: string;
  readonly status: string;
  readonly findings: readonly { readonly title: string }[];
}

/** Kinds whose objects come and go by themselves. */
const RESTLESS = /^(events|leases|endpoints|endpointslices|componentstatuses|controllerrevisions)\b/;

/** Every object of the cluster that the release may have made, as `namespace/kind/name`. */
export async function allObjects(): Promise<Set<string>> {
  const listed = await kubectl(["api-resources", "--verbs=list", "--output=name"]);
  const kinds = listed.split("\n").filter((kind) => kind !== "" && !RESTLESS.test(kind));
  const columns = "custom-columns=NAMESPACE:.metadata.namespace,KIND:.kind,NAME:.metadata.name";
  const told = await kubectl(["get", kinds.join(","), "-A", "--no-headers", "--output", columns]);
  return new Set(
    told
      .split("\n")
      .filter(Boolean)
      .map((line) => line.trim().split(/\s+/).join("/")),
  );
}
