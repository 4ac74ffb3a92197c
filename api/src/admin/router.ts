import { accountRouter } from "./account.ts";
import { accountsRouter } from "./accounts.ts";
import { auditRouter } from "./audit.ts";
import { findingsRouter } from "./findings.ts";
import { identitySetsRouter } from "./identity-sets.ts";
import { keysRouter } from "./keys.ts";
import { plansRouter } from "./plans.ts";
import { scanControl } from "./scan-control.ts";
import { scansRouter } from "./scans.ts";
import { schedulesRouter } from "./schedules.ts";
import { serviceRouter } from "./service.ts";
import { sessionRouter } from "./session.ts";
import { overviewRouter, targetsRouter } from "./targets.ts";
import { mergeRouters, router } from "./trpc.ts";
import { usageRouter } from "./usage.ts";
import { usersRouter } from "./users.ts";
import { webhooksRouter } from "./webhooks.ts";

/** The admin interface (docs/admin.md): one router for each area. */
export const adminRouter = router({
  session: sessionRouter,
  account: accountRouter,
  keys: keysRouter,
  webhooks: webhooksRouter,
  schedules: schedulesRouter,
  overview: overviewRouter,
  scans: mergeRouters(scansRouter, scanControl),
  identitySets: identitySetsRouter,
  findings: findingsRouter,
  targets: targetsRouter,
  plans: plansRouter,
  usage: usageRouter,
  audit: auditRouter,
  accounts: accountsRouter,
  users: usersRouter,
  service: serviceRouter,
});

/** For typed clients: `import type { AdminRouter } from "@glovebox/api/admin"`. */
export type AdminRouter = typeof adminRouter;
