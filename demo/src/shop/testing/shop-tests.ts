import { describe, expect, it } from "vitest";
import type { Variant } from "../../route.ts";
import type { ShopRoute } from "../route.ts";
import { type ShopApi, startShopApi } from "./shop-api.ts";

/** By the description of a weakness or a trap: whether a shop has it. */
export type Proofs = Record<string, (api: ShopApi) => Promise<boolean>>;

/**
 * Tests that the vulnerable shop has every weakness of the routes and the hardened one none, and that both have every trap. Each proof
 * has a shop to itself.
 */
export function testShop(
  area: string,
  routes: readonly ShopRoute[],
  { weaknesses = {}, traps = {} }: { weaknesses?: Proofs; traps?: Proofs },
): void {
  describe(area, () => {
    it("has a proof for every weakness and every trap", () => {
      const described = {
        weaknesses: routes.flatMap((route) => route.weaknesses.map(({ what }) => what)),
        traps: routes.flatMap((route) => route.traps ?? []),
      };
      expect(Object.keys(weaknesses).toSorted()).toEqual(unique(described.weaknesses));
      expect(Object.keys(traps).toSorted()).toEqual(unique(described.traps));
    });

    it.each(Object.entries(weaknesses))("%s: in the vulnerable variant only", async (_what, isPresent) => {
      expect(await holds("vulnerable", isPresent)).toBe(true);
      expect(await holds("hardened", isPresent)).toBe(false);
    });

    it.each(Object.entries(traps))("%s: in both variants", async (_what, isPresent) => {
      expect(await holds("vulnerable", isPresent)).toBe(true);
      expect(await holds("hardened", isPresent)).toBe(true);
    });
  });
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].toSorted();

async function holds(variant: Variant, isPresent: Proofs[string]): Promise<boolean> {
  const api = await startShopApi(variant);
  try {
    return await isPresent(api);
  } finally {
    await api.close();
  }
}
