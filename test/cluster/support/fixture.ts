import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import {
  ANNOTATIONS,
  API_VERSION,
  KIND,
  type ScanResource,
  type ScanSpec,
  type ScanStatus,
} from "@glovebox/k8s";
import { openStore, type Account, type Store } from "@glovebox/store";
import { freshDatabase } from "@glovebox/store/testing";
import { inject } from "vitest";
import { startCanaries, type Canaries } from "./canaries.ts";
import { startController, type ControllerProcess, type Hosts } from "./controller.ts";
import { EXTRA_CA, extraCaObject } from "./certificate.ts";
import { apply, getJson, kubectl, namesOf } from "./kubectl.ts";
import { startTarget, type Target } from "./target.ts";
import { until } from "./until.ts";

/** Host name of the target, and the URL of its OpenAPI document. */
export const HOST = "api.shop.example";
export const SPEC_URL = `https://${HOST}/openapi.json`;
/** The folder of the resource definitions. */
const CRDS = fileURLToPath(new URL("../../../k8s/crd", import.meta.url));

/** What a test needs for scans: a namespace as the chart makes it, a database with the account `default`, a target, two canaries. */
export interface Fixture {
  readonly namespace: string;
  readonly store: Store;
  readonly databaseUrl: string;
  readonly account: Account;
  readonly target: Target;
  readonly canaries: Canaries;
  /** Settings with which the controller may scan the target. */
  readonly settings: Readonly<Record<string, string>>;
  /** By default, the host of the target resolves to its first address. */
  startController(settings?: Readonly<Record<string, string>>, hosts?: Hosts): Promise<ControllerProcess>;
  /**
   * Applies a Scan, by default of the target and the account `default`; with null, the spec names no account. Allows the
   * namespace to use the account.
   */
  applyScan(name: string, url?: string | ScanRequest, account?: string | null): Promise<void>;
  statusOf(name: string): Promise<ScanStatus>;
  /** Waits until the scan has ended, and returns its status. */
  finished(name: string): Promise<ScanStatus>;
  /** Waits until no Job, pod or policy of a scan is left. */
  cleanedUp(): Promise<true>;
  close(): Promise<void>;
}

/** What a Scan asks for, without its account. */
type ScanRequest = Omit<ScanSpec, "account">;

export interface FixtureOptions {
  /** A new one by default. */
  readonly namespace?: string;
  /** The PostgreSQL server for the database; by default the server of the test run. */
  readonly postgresUrl?: string;
  /** A fixture whose database and target this one uses. Close this one first. */
  readonly sharing?: Fixture;
  /** The accounts to which the namespace may charge scans, beside `default`. */
  readonly accounts?: readonly string[];
  /** How long the target takes for each response. */
  readonly delayMs?: number;
  /** Locations to which the target redirects, by path. */
  readonly redirects?: Readonly<Record<string, string>>;
  /** The target's program, a file of this folder; target-server.mjs by default. */
  readonly server?: string;
}

export async function startFixture({
  namespace = `glovebox-test-${randomBytes(4).toString("hex")}`,
  postgresUrl = inject("databaseUrl"),
  sharing,
  accounts = [],
  ...targetOptions
}: FixtureOptions = {}): Promise<Fixture> {
  await applyDefinitions();
  await apply(...namespaceObjects(namespace, accounts));
  const target = sharing
    ? { ...sharing.target, remove: async () => undefined }
    : await startTarget({ namespace: `${namespace}-target`, hostName: HOST, ...targetOptions });
  const database = sharing
    ? { url: sharing.databaseUrl, drop: async () => undefined }
    : await freshDatabase(postgresUrl);
  const store = await openStore({ url: database.url });
  const account = await store.accounts.declare({ name: "default", plan: "enterprise" });
  await apply(extraCaObject(namespace, target.caPem));
  const canaries = await startCanaries();
  const started: ControllerProcess[] = [];
  const settings = {
    GLOVEBOX_EGRESS_ALLOW: target.addresses.join(),
    GLOVEBOX_EXTRA_CA_CONFIG_MAP: EXTRA_CA,
    GLOVEBOX_CANARIES: canaries.endpoints,
    GLOVEBOX_ISOLATION_WAIT_SECONDS: "10",
  };
  const scans = scansIn(namespace, accounts);
  return {
    namespace,
    store,
    databaseUrl: database.url,
    account,
    target,
    canaries,
    settings,
    ...scans,
    async startController(more = {}, hosts = { [HOST]: target.address }) {
      const all = { ...settings, ...more };
      const controller = await startController({
        databaseUrl: database.url,
        namespace,
        hosts,
        settings: all,
      });
      started.push(controller);
      return controller;
    },
    async close() {
      await Promise.all(started.map((controller) => controller.stop()));
      await canaries.close();
      await kubectl(["delete", "namespace", namespace, "--wait=false"]);
      await target.remove();
      await store.close();
      await database.drop();
    },
  };
}

/** Applies the resource definitions, and waits until the API server serves them. */
export async function applyDefinitions(): Promise<void> {
  await kubectl(["apply", "-f", CRDS]);
  const definitions = ["crd/scans.glovebox.dev", "crd/scanschedules.glovebox.dev"];
  await kubectl(["wait", ...definitions, "--for=condition=Established", "--timeout=60s"]);
}

function scansIn(
  namespace: string,
  accounts: readonly string[],
): Pick<Fixture, "applyScan" | "statusOf" | "finished" | "cleanedUp"> {
  const allowed = new Set(["default", ...accounts]);
  const allow = async (account: string): Promise<void> => {
    if (allowed.has(account)) return;
    const list = [...allowed.add(account)].join(",");
    await kubectl(["annotate", "--overwrite", "namespace", namespace, `${ANNOTATIONS.accounts}=${list}`]);
  };
  const statusOf = async (name: string): Promise<ScanStatus> => {
    const { status = {} } = await getJson<ScanResource>("scans.glovebox.dev", name, "-n", namespace);
    return status;
  };
  return {
    statusOf,
    async applyScan(name, url, account = "default") {
      const target = { url: `https://${HOST}/v1`, specUrl: SPEC_URL };
      const spec = typeof url === "string" ? { url } : (url ?? target);
      const scan = { apiVersion: API_VERSION, kind: KIND, metadata: { name, namespace } };
      if (account !== null) await allow(account);
      await apply({ ...scan, spec: { ...spec, ...(account !== null && { account }) } });
    },
    finished: (name) =>
      until(`the end of the scan ${name}`, async () => {
        const status = await statusOf(name);
        return status.finishedAt !== undefined && status;
      }),
    cleanedUp: () =>
      until("the deletion of all Jobs, pods and policies", async () => {
        const [jobs, pods, policies] = await Promise.all(
          ["jobs", "pods", "networkpolicies"].map((kind) => namesOf(kind, namespace)),
        );
        return jobs!.length === 0 && ![...pods!, ...policies!].some((name) => name.startsWith("scan-"));
      }),
  };
}

/** A scan namespace as the chart makes it: Pod Security `restricted`, all traffic denied; the account `default` and others allowed. */
export const namespaceObjects = (namespace: string, accounts: readonly string[] = []): object[] => [
  {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: {
      name: namespace,
      labels: { "pod-security.kubernetes.io/enforce": "restricted" },
      annotations: { [ANNOTATIONS.accounts]: ["default", ...accounts].join(",") },
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "deny-all", namespace },
    spec: { podSelector: {}, policyTypes: ["Ingress", "Egress"] },
  },
];
