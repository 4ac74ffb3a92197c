import type { Check } from "../../engine/check.ts";
import boundedBurst from "./bounded-burst.ts";
import loginThrottling from "./login-throttling.ts";
import rateLimitHeaders from "./rate-limit-headers.ts";
import throttleBypass from "./throttle-bypass.ts";

/** `throttleBypass` comes after the bursts: it looks at what they have had limited. */
export const rateLimitingChecks: readonly Check[] = [
  rateLimitHeaders,
  boundedBurst,
  loginThrottling,
  throttleBypass,
];
