import type { Check } from "../../engine/check.ts";
import boundedBurst from "./bounded-burst.ts";
import crash from "./crash.ts";
import graphqlCost from "./graphql-cost.ts";
import loginThrottling from "./login-throttling.ts";
import pageSize from "./page-size.ts";
import rateLimitHeaders from "./rate-limit-headers.ts";
import throttleBypass from "./throttle-bypass.ts";

/** `throttleBypass` runs after the bursts: it examines the reads that they caused to be limited. */ import singleUse from "./single-use.ts";
import singleUseRace from "./single-use-race.ts";
import codeThrottling from "./code-throttling.ts";

export const rateLimitingChecks: readonly Check[] = [
  rateLimitHeaders,
  pageSize,
  graphqlCost,
  boundedBurst,
  loginThrottling,
  throttleBypass,
  crash,
  singleUse,
  singleUseRace,
  codeThrottling,
];
