import * as z from "zod";
import { type KubeTransport, requestJson } from "./client.ts";

/** The object in which every cluster keeps the addresses of its API servers. */
const API_SERVER_ENDPOINTS = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";

/** The right that is missing where it may not be read. */
export const API_SERVER_ENDPOINTS_RIGHT = "get endpointslices.discovery.k8s.io named kubernetes in default";

const endpointSliceSchema = z.object({
  endpoints: z
    .array(z.object({ addresses: z.array(z.union([z.ipv4(), z.ipv6()])) }))
    .nullish()
    .transform((endpoints) => endpoints ?? []),
});

export interface ApiServerAddressesOptions {
  readonly transport: KubeTransport;
  /** Called for the first of consecutive failures. The last addresses are kept. */
  readonly onFailure: (error: unknown) => void;
  /** Interval between reads, in milliseconds; 30 s when absent. */
  readonly everyMs?: number;
}

/** Where the API servers are, kept fresh: they move when machines of the control plane are replaced. */
export class ApiServerAddresses {
  readonly #options: ApiServerAddressesOptions;
  #addresses: readonly string[] = [];
  #hasFailed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ApiServerAddressesOptions) {
    this.#options = options;
  }

  /** None until they were read. */
  get list(): readonly string[] {
    return this.#addresses;
  }

  /** Resolves after the first read, successful or not, and keeps reading. */
  async start(): Promise<void> {
    this.#timer ??= setInterval(() => void this.refresh(), this.#options.everyMs ?? 30_000).unref();
    await this.refresh();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Reads the addresses again. It never rejects. */
  async refresh(): Promise<void> {
    try {
      const slice = await requestJson(this.#options.transport, { path: API_SERVER_ENDPOINTS });
      const { endpoints } = endpointSliceSchema.parse(slice);
      this.#addresses = [...new Set(endpoints.flatMap(({ addresses }) => addresses))];
      this.#hasFailed = false;
    } catch (error) {
      if (!this.#hasFailed) this.#options.onFailure(error);
      this.#hasFailed = true;
    }
  }
}
