import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Route } from "../route.ts";
import { type Api, startApi } from "./api.ts";

/** For each weakness of an area, by its own words: whether an API shows it. */
export type Proofs = Record<string, (api: Api) => Promise<boolean>>;

/** Tests that the vulnerable API shows every weakness its routes name, and that the twin shows none of them. */
export function testContrast(area: string, routes: readonly Route[], proofs: Proofs): void {
  describe(area, () => {
    let vulnerable: Api;
    let hardened: Api;
    beforeAll(async () => {
      [vulnerable, hardened] = await Promise.all([startApi("vulnerable"), startApi("hardened")]);
    });
    afterAll(() => Promise.all([vulnerable.demo.close(), hardened.demo.close()]));

    it("has a proof for every weakness it names", () => {
      const named = new Set(routes.flatMap(({ weaknesses }) => weaknesses.map(({ what }) => what)));
      expect(Object.keys(proofs).toSorted()).toEqual([...named].toSorted());
    });

    it.each(Object.entries(proofs))("%s: shown here, and not by the twin", async (_what, shownBy) => {
      expect(await shownBy(vulnerable)).toBe(true);
      expect(await shownBy(hardened)).toBe(false);
    });
  });
}
