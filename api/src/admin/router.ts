import { findingsRouter } from "./findings.ts";
import { keysRouter } from "./keys.ts";
import { scansRouter } from "./scans.ts";
import { sessionRouter } from "./session.ts";
import { overviewRouter, targetsRouter } from "./targets.ts";
import { router } from "./trpc.ts";
import { webhooksRouter } from "./webhooks.ts";

/** The admin interface (docs/admin.md): one router for each area. */
export const adminRouter = router({
  session: sessionRouter,
  keys: keysRouter,
  webhooks: webhooksRouter,
  overview: overviewRouter,
  scans: scansRouter,
  findings: findingsRouter,
  targets: targetsRouter,
});

/** For typed clients: `import type { AdminRouter } from "@glovebox/api/admin"`. */
export type AdminRouter = typeof adminRouter;
