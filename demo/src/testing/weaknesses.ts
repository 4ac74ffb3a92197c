import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../route.ts";
import { type Api, startApi } from "./api.ts";

/** For each weakness of an area, by its description: whether an API has it. */
export type Proofs = Record<string, (api: Api) => Promise<boolean>>;

/** Tests that the vulnerable variant has every weakness of the routes, and that the hardened one has none of them. */
export function testWeaknesses(area: string, routes: readonly Route[], proofs: Proofs): void {
  describe(area, () => {
    let vulnerable: Api;
    let hardened: Api;
    beforeAll(async () => {
      [vulnerable, hardened] = await Promise.all([startApi("vulnerable"), startApi("hardened")]);
    });
    afterAll(() => Promise.all([vulnerable.demo.close(), hardened.demo.close()]));

    it("has a proof for every weakness", () => {
      const named = new Set(routes.flatMap(({ weaknesses }) => weaknesses.map(({ what }) => what)));
      expect(Object.keys(proofs).toSorted()).toEqual([...named].toSorted());
    });

    it.each(Object.entries(proofs))("%s: in the vulnerable variant only", async (_what, isPresent) => {
      expect(await isPresent(vulnerable)).toBe(true);
      expect(await isPresent(hardened)).toBe(false);
    });
  });
}
