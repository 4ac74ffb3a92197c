import { keyOf, type KubeObject } from "../client/resource.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byLabel, createObjectStore } from "./object-store.ts";

const object = (name: string, colour?: string, owner?: string): KubeObject => ({
  metadata: {
    name,
    namespace: "scans",
    ...(colour !== undefined && { labels: { colour } }),
    ...(owner !== undefined && { ownerReferences: [{ uid: owner }] }),
  },
});
const byOwner = ({ metadata }: KubeObject): string[] =>
  (metadata?.ownerReferences ?? []).map(({ uid }) => uid);
const indexes = { colour: byLabel("colour"), owner: byOwner };

describe("a store of objects", () => {
  test("finds objects by label and by other things, and by what they are now only", () => {
    const store = createObjectStore<KubeObject>(indexes);
    store.put(object("a", "red", "u1"));
    store.put(object("b", "red"));
    store.put(object("a", "blue", "u1"));
    expect(store.find("colour", "red").map(keyOf)).toEqual(["scans/b"]);
    expect(store.find("colour", "blue").map(keyOf)).toEqual(["scans/a"]);
    expect(store.find("owner", "u1").map(keyOf)).toEqual(["scans/a"]);
    store.delete("scans/a");
    expect([store.find("owner", "u1"), store.get("scans/a"), store.size]).toEqual([[], undefined, 1]);
  });

  test("a store of objects has no index but those it was made with", () => {
    expect(() => createObjectStore<KubeObject>(indexes).find("size", "1")).toThrow("size");
  });

  test("finds by each index what a search through all objects finds, after any puts and deletions", () => {
    const name = fc.constantFrom("a", "b", "c");
    const colour = fc.option(fc.constantFrom("red", "blue", "__proto__"), { nil: undefined });
    const step = fc.record({ name, colour, deletes: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const store = createObjectStore<KubeObject>(indexes);
        for (const { name, colour, deletes } of steps) {
          if (deletes) store.delete(`scans/${name}`);
          else store.put(object(name, colour));
        }
        for (const wanted of ["red", "blue", "__proto__"]) {
          const searched = store.list().filter((held) => byLabel("colour")(held).includes(wanted));
          expect(new Set(store.find("colour", wanted))).toEqual(new Set(searched));
        }
      }),
    );
  });
});
