import type { ShopRoute, ShopWeakness } from "../route.ts";
import { accounts } from "./accounts.ts";
import { administration } from "./administration.ts";
import { children } from "./children.ts";
import { desk } from "./desk.ts";
import { files } from "./files.ts";
import { entry, harmless } from "./harmless.ts";
import { idsElsewhere } from "./ids-elsewhere.ts";
import { objects } from "./objects.ts";
import { people } from "./people.ts";
import { products } from "./products.ts";
import { signIn } from "./sign-in.ts";
import { tenants } from "./tenants.ts";
import { tools } from "./tools.ts";
import { workflows } from "./workflows.ts";

export const SHOP_ROUTES: readonly ShopRoute[] = [
  ...entry,
  ...signIn,
  ...accounts,
  ...objects,
  ...idsElsewhere,
  ...workflows,
  ...children,
  ...files,
  ...tenants,
  ...people,
  ...products,
  ...administration,
  ...tools,
  ...desk,
  ...harmless,
];

interface Location {
  method: string;
  /** Below `/shop`. */
  path: string;
}

/** All weaknesses of the vulnerable variant with their routes. README.md contains the same list. */
export const SHOP_WEAKNESSES: readonly (ShopWeakness & Location)[] = SHOP_ROUTES.flatMap(
  ({ method, path, weaknesses }) => weaknesses.map((each) => ({ ...each, method, path })),
);

/** What resembles a weakness, and is right in both variants. */
export const SHOP_TRAPS: readonly ({ what: string } & Location)[] = SHOP_ROUTES.flatMap(
  ({ method, path, traps = [] }) => traps.map((what) => ({ what, method, path })),
);
