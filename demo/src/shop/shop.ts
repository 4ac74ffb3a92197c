import type { DatabaseSync } from "node:sqlite";
import type { Variant } from "../route.ts";
import { TokenBuckets } from "../token-bucket.ts";
import { createCatalogue } from "./catalogue.ts";
import { type Tables, seededComments, seededTables } from "./seed.ts";
import { Sessions } from "./sessions.ts";
import { SignInThrottle } from "./throttle.ts";
import { type User, seededUsers } from "./users.ts";

/** The data of one running shop, in memory. */
export interface Shop {
  variant: Variant;
  /** The origin of its server, without a trailing slash. */
  origin: string;
  /** The OpenAPI document. */
  document: object;
  users: User[];
  tables: Tables;
  catalogue: DatabaseSync;
  sessions: Sessions;
  /** Failed attempts to sign in. */
  throttle: SignInThrottle;
  registrations: TokenBuckets;
  now: () => Date;
}

export interface ShopOptions {
  variant: Variant;
  origin: string;
  document: object;
  /** Lifetime of access tokens, in seconds. */
  accessSeconds: number;
  now: () => Date;
}

const REGISTRATIONS_PER_MINUTE = 10;

export function createShop({ variant, origin, document, accessSeconds, now }: ShopOptions): Shop {
  const users = seededUsers();
  const tables = seededTables(users);
  const time = () => now().getTime();
  return {
    variant,
    origin,
    document,
    users,
    tables: { ...tables, comments: seededComments(tables.projects) },
    catalogue: createCatalogue(),
    sessions: new Sessions({ variant, accessSeconds, now }),
    throttle: new SignInThrottle(time),
    registrations: new TokenBuckets({
      capacity: REGISTRATIONS_PER_MINUTE,
      perSecond: REGISTRATIONS_PER_MINUTE / 60,
      now: time,
    }),
    now,
  };
}
