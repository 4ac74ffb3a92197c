import { randomUUID } from "node:crypto";
import { collectionPath, keyOf, type KubeObject } from "../client/resource.ts";
import { type KubeTransport, requestJson } from "../client/client.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { byLabel } from "../informer/object-store.ts";
import { Reflector, type ReflectorOptions } from "../informer/reflector.ts";
import { type ToldChanges, toldChanges } from "./told-changes.ts";

/** An API server to hold the contract against, and a namespace in which ConfigMaps may be made and deleted. */
export interface ContractClient extends AsyncDisposable {
  readonly transport: KubeTransport;
  readonly namespace: string;
}

const CONFIG_MAPS = { group: "", version: "v1", plural: "configmaps" };

/** What a reflector promises with any API server: the fake one of the tests and a real one. */
export function reflectorContract(makeClient: () => Promise<ContractClient>): void {
  let client: ContractClient;
  let run: string;
  const reflectors: Reflector<KubeObject>[] = [];

  beforeEach(async () => {
    client = await makeClient();
    run = `c${randomUUID().slice(0, 8)}`;
  });
  afterEach(async () => {
    await Promise.all(reflectors.splice(0).map((reflector) => reflector.stop()));
    await client[Symbol.asyncDispose]();
  });

  const send = async (method: "POST" | "PATCH" | "DELETE", name: string, body?: object): Promise<void> => {
    const collection = collectionPath(CONFIG_MAPS, client.namespace);
    await requestJson(client.transport, {
      method,
      path: method === "POST" ? collection : `${collection}/${run}-${name}`,
      ...(body && { body }),
      ...(method === "PATCH" && { contentType: "application/merge-patch+json" }),
    });
  };
  const create = (name: string, labels = {}): Promise<void> =>
    send("POST", name, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: `${run}-${name}`, labels: { run, ...labels } },
      data: { turn: "1" },
    });
  const change = (name: string): Promise<void> => send("PATCH", name, { data: { turn: randomUUID() } });
  const remove = (name: string): Promise<void> => send("DELETE", name, {});
  const reflect = (options: Partial<ReflectorOptions<KubeObject>> = {}): Started => {
    const told = toldChanges();
    const { transport, namespace } = client;
    const selection = { resource: CONFIG_MAPS, namespace, labelSelector: `run=${run}` };
    const reflector = new Reflector({ transport, ...selection, onChange: told.onChange, ...options });
    reflectors.push(reflector);
    reflector.start();
    return { reflector, told };
  };
  const named = (lines: string): string[] => lines.split(", ").map((line) => line.replace(" ", ` ${run}-`));

  describe("a reflector", () => {
    test("has told of the objects of all pages when it has synced", async () => {
      for (const name of ["a", "b", "c", "d", "e"]) await create(name);
      const { reflector, told } = reflect({ pageSize: 2 });
      expect(reflector.hasSynced).toBe(false);
      await reflector.whenSynced();
      expect(reflector.hasSynced).toBe(true);
      expect(told.lines.toSorted()).toEqual(named("added a, added b, added c, added d, added e"));
      expect(reflector.objects.size).toBe(5);
    });

    test("tells of what is created, changed and deleted later, in that order", async () => {
      const { reflector, told } = reflect();
      await reflector.whenSynced();
      await create("a");
      await change("a");
      await remove("a");
      await told.until(`deleted ${run}-a`);
      expect(told.lines).toEqual(named("added a, updated a, deleted a"));
      expect(reflector.objects.size).toBe(0);
    });

    test("gives listed and watched objects the same fields, and neither has managedFields", async () => {
      await create("listed");
      const { reflector, told } = reflect();
      await reflector.whenSynced();
      await create("watched");
      await told.until(`added ${run}-watched`);
      const shapes = reflector.objects.list().map(({ apiVersion, kind, metadata }) => ({
        apiVersion,
        kind,
        metadata: Object.fromEntries(
          Object.entries(metadata ?? {}).map(([field, value]) => [field, typeof value]),
        ),
      }));
      expect(shapes[0]).toEqual(shapes[1]);
      expect(shapes[0]).toMatchObject({ kind: "ConfigMap", metadata: { creationTimestamp: "string" } });
      expect(shapes[0]?.metadata).not.toHaveProperty("managedFields");
    });

    test("keeps to its label selector: an object that loses the label is told as deleted", async () => {
      const { reflector, told } = reflect({ labelSelector: `run=${run},wanted=yes` });
      await reflector.whenSynced();
      await create("other");
      await create("mine", { wanted: "yes" });
      await told.until(`added ${run}-mine`);
      await send("PATCH", "mine", { metadata: { labels: { wanted: null } } });
      await told.until(`deleted ${run}-mine`);
      expect(told.lines).toEqual(named("added mine, deleted mine"));
    });

    test("holds objects as trimmed, and finds them by its indexes", async () => {
      await create("a", { colour: "red" });
      await create("b", { colour: "blue" });
      const trim = ({ metadata = {} }: KubeObject): KubeObject => ({ metadata });
      const { reflector, told } = reflect({ trim, indexes: { colour: byLabel("colour") } });
      await reflector.whenSynced();
      await create("c", { colour: "red" });
      await told.until(`added ${run}-c`);
      const found = reflector.objects.find("colour", "red");
      expect(new Set(found.map(keyOf))).toEqual(
        new Set(["a", "c"].map((name) => `${client.namespace}/${run}-${name}`)),
      );
      expect(found.map((object) => Object.keys(object))).toEqual([["metadata"], ["metadata"]]);
    });

    test("lists again when it is time, and tells of what has not changed too", async () => {
      await create("a");
      const { reflector, told } = reflect({ resyncMs: 50 });
      await told.until(`resynced ${run}-a`, 2);
      expect(reflector.status.lists).toBeGreaterThanOrEqual(3);
    });

    test("tells of nothing after it was stopped", async () => {
      const first = reflect();
      await first.reflector.whenSynced();
      await first.reflector.stop();
      const second = reflect();
      await create("a");
      await second.told.until(`added ${run}-a`);
      expect(first.told.lines).toEqual([]);
    });
  });
}

interface Started {
  readonly reflector: Reflector<KubeObject>;
  readonly told: ToldChanges;
}
