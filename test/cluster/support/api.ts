import { fileURLToPath } from "node:url";
import { hashApiKey, newApiKey, type Account } from "@glovebox/store";
import { type Scan, type ScanList } from "@glovebox/contract";
import { FAKE_DNS_AND_CLOCK } from "./controller.ts";
import { startProcess, type RunningProcess } from "./process.ts";
import { HOST, SPEC_URL, type Fixture } from "./fixture.ts";

const PROGRAM = fileURLToPath(new URL("../../../api/src/main.ts", import.meta.url));

/** The API for Kubernetes, as a process on this machine. */
export interface ApiProcess extends RunningProcess {
  readonly url: string;
  /** A client with a new key of the account, by default of the fixture's account. */
  clientOf(account?: Account): Promise<ApiClient>;
}

export interface ApiClient {
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** POST /v1/scan of the fixture's target with `Prefer: respond-async`; returns the id. */
  submit(): Promise<string>;
  read(id: string): Promise<Scan>;
  list(): Promise<ScanList>;
}

export interface CallOptions {
  readonly prefer?: string;
  readonly body?: object;
}

/** The body of a request that scans the fixture's target. */
export const SCAN = { url: `https://${HOST}/v1`, specUrl: SPEC_URL } as const;

/** Starts the API with the fixture's database and namespace, and waits until it is ready. The caller stops it. */
export async function startApi(
  fixture: Fixture,
  settings: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const api = await startProcess({
    program: PROGRAM,
    preload: FAKE_DNS_AND_CLOCK,
    ready: /"url":"([^"]+)","msg":"ready"/,
    env: {
      KUBECONFIG: process.env["KUBECONFIG"],
      DATABASE_URL: fixture.databaseUrl,
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_NAMESPACE: fixture.namespace,
      GLOVEBOX_EGRESS_ALLOW: `${fixture.target.address}/32`,
      GLOVEBOX_SWEEP_SECONDS: "1",
      TEST_HOSTS: JSON.stringify({ [HOST]: fixture.target.address }),
      ...settings,
    },
  });
  const url = api.readyMatch;
  return {
    ...api,
    url,
    async clientOf(account = fixture.account) {
      const key = newApiKey();
      await fixture.store.keys.add({ accountId: account.id, name: "test", sha256: hashApiKey(key) });
      return clientOf(url, key);
    },
  };
}

/** A client of the API at `url` with this key. */
export function clientOf(url: string, key: string): ApiClient {
  const call: ApiClient["call"] = (method, path, { prefer, body } = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        "Content-Type": "application/json",
        ...(prefer && { Prefer: prefer }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const json = async <T>(response: Promise<Response>): Promise<T> => (await (await response).json()) as T;
  return {
    call,
    submit: async () =>
      (await json<Scan>(call("POST", "/v1/scan", { body: SCAN, prefer: "respond-async" }))).id,
    read: (id) => json(call("GET", `/v1/scan/${id}`)),
    list: () => json(call("GET", "/v1/scans")),
  };
}
