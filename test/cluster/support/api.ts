import { fileURLToPath } from "node:url";
import { hashApiKey, newApiKey, type Scan, type ScanList } from "@glovebox/contract";
import type { Account } from "@glovebox/store";
import { NAMES } from "./controller.ts";
import { startProcess, type RunningProcess } from "./process.ts";
import { HOST, SPEC_URL, type Stage } from "./stage.ts";

const PROGRAM = fileURLToPath(new URL("../../../api/src/main.ts", import.meta.url));

/** The API as a process on this machine, which launches scans as Scan resources. */
export interface ApiProcess extends RunningProcess {
  readonly url: string;
  /** What the holder of a new key of the account may do; of the stage's account unless told otherwise. */
  clientOf(account?: Account): Promise<ApiClient>;
}

export interface ApiClient {
  call(method: string, path: string, options?: CallOptions): Promise<Response>;
  /** POST /v1/scan of the stage's target, not waited for; gives the id. */
  submit(): Promise<string>;
  read(id: string): Promise<Scan>;
  list(): Promise<ScanList>;
}

export interface CallOptions {
  readonly prefer?: string;
  readonly body?: object;
}

/** The request that scans the stage's target. */
export const SCAN = { url: `https://${HOST}/v1`, specUrl: SPEC_URL } as const;

/** Starts it over the stage's database and namespace, and waits until it answers. It is to be stopped by the caller. */
export async function startApi(
  stage: Stage,
  settings: Readonly<Record<string, string>> = {},
): Promise<ApiProcess> {
  const api = await startProcess({
    program: PROGRAM,
    preload: NAMES,
    ready: /"url":"([^"]+)","msg":"Ready"/,
    env: {
      KUBECONFIG: process.env["KUBECONFIG"],
      DATABASE_URL: stage.databaseUrl,
      PORT: "0",
      GLOVEBOX_HOST: "127.0.0.1",
      GLOVEBOX_NAMESPACE: stage.namespace,
      GLOVEBOX_EGRESS_ALLOW: `${stage.target.address}/32`,
      GLOVEBOX_SWEEP_SECONDS: "1",
      TEST_HOSTS: JSON.stringify({ [HOST]: stage.target.address }),
      ...settings,
    },
  });
  const url = api.said;
  return {
    ...api,
    url,
    async clientOf(account = stage.account) {
      const key = newApiKey();
      await stage.store.keys.add({ accountId: account.id, name: "test", sha256: hashApiKey(key) });
      return clientOf(url, key);
    },
  };
}

/** What the holder of the key may do there. */
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
  const json = async <T>(answer: Promise<Response>): Promise<T> => (await (await answer).json()) as T;
  return {
    call,
    submit: async () =>
      (await json<Scan>(call("POST", "/v1/scan", { body: SCAN, prefer: "respond-async" }))).id,
    read: (id) => json(call("GET", `/v1/scan/${id}`)),
    list: () => json(call("GET", "/v1/scans")),
  };
}
