import { SCANS, type ScanResource } from "@glovebox/k8s";
import { collectionPath, SECRETS, type KubeConnection, type KubeObject } from "@glovebox/kube";
import { FakeKubeApiserver, refuse, type FakeCollection } from "@glovebox/kube/testing";

const NAMESPACE = "scans";

/** An API server with the namespace `scans`, and what tests of the launcher ask of it. */
export class FakeCluster implements AsyncDisposable {
  readonly server: FakeKubeApiserver;
  /** While set, every request gets this status and reason, or its connection is cut. */
  failWith: { readonly status: number; readonly reason: string } | "drop" | undefined;
  readonly #namespaces: FakeCollection;
  #dropsNext = false;

  private constructor(server: FakeKubeApiserver) {
    this.server = server;
    this.#namespaces = server.collection("/api/v1/namespaces");
    this.#namespaces.create({ metadata: { name: NAMESPACE } as never });
    server.fail({
      times: Infinity,
      matches: () => this.failWith !== undefined || this.#dropsNext,
      act: (response) => {
        if (typeof this.failWith === "object") refuse(response, this.failWith.status, this.failWith.reason);
        else response.destroy();
        this.#dropsNext = false;
      },
    });
  }

  static async start(): Promise<FakeCluster> {
    return new FakeCluster(await FakeKubeApiserver.start({ tls: true }));
  }

  get connection(): KubeConnection {
    return this.server.connection;
  }

  /** The Scans of the namespace by name. */
  get scans(): Map<string, ScanResource> {
    return this.server.collection(collectionPath(SCANS, NAMESPACE)).objects as Map<string, never>;
  }

  /** The Secrets of the namespace by name. */
  get secrets(): ReadonlyMap<string, KubeObject> {
    return this.server.collection(collectionPath(SECRETS, NAMESPACE)).objects;
  }

  /** Names of Scans in the order of their creation. */
  get created(): string[] {
    const added = this.server.history.events.filter(
      ({ type, path }) => type === "ADDED" && path.endsWith("/scans"),
    );
    return added.map(({ object }) => object.metadata.name);
  }

  /** Method, path and query of every request so far. */
  get requests(): string[] {
    return this.server.requests.map(({ method, path, query }) =>
      [`${method} ${path}`, ...(query.size > 0 ? [query] : [])].join("?"),
    );
  }

  get namespaceUid(): string {
    return this.#namespaces.get(NAMESPACE).metadata.uid;
  }

  /** The namespace is deleted and created again. */
  renewNamespace(): void {
    this.#namespaces.delete(NAMESPACE);
    this.#namespaces.create({ metadata: { name: NAMESPACE } as never });
  }

  /** The next request finds its connection closed. */
  dropNext(): void {
    this.#dropsNext = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}
