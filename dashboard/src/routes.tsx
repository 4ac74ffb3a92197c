import {
  Link,
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { accountsSearch } from "./administration/accounts-search.ts";
import { auditSearch } from "./audit/audit-search.ts";
import { findingsSearch } from "./findings/findings-search.ts";
import { NAVIGATION } from "./navigation.ts";
import { OverviewPage } from "./overview/overview-page.tsx";
import { Page } from "./parts/page.tsx";
import { Empty } from "./parts/states.tsx";
import { compareSearch, scansSearch } from "./scans/scans-search.ts";
import { AccountFoot } from "./session/account-foot.tsx";
import { useSession } from "./session/use-session.ts";
import { linksFor } from "./shell/navigation.tsx";
import { Shell } from "./shell/shell.tsx";
import { targetsSearch } from "./targets/targets-search.ts";

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

function Root(): ReactNode {
  const permissions = useSession()?.permissions;
  return (
    <Shell groups={permissions ? linksFor(NAVIGATION, permissions) : []} account={<AccountFoot />}>
      <Outlet />
    </Shell>
  );
}

function NotFound(): ReactNode {
  return (
    <Page title="Not found">
      <Empty title="There is no such page" action={<Link to="/">Go to the first page</Link>} />
    </Page>
  );
}

const under = { getParentRoute: () => root };

const overview = createRoute({ ...under, path: "/", component: OverviewPage });
const findings = createRoute({
  ...under,
  path: "/findings",
  validateSearch: findingsSearch,
  component: lazyRouteComponent(() => import("./findings/findings-page.tsx"), "FindingsPage"),
});
const finding = createRoute({
  ...under,
  path: "/findings/$findingId",
  component: lazyRouteComponent(() => import("./findings/finding-page.tsx"), "FindingPage"),
});
const targets = createRoute({
  ...under,
  path: "/targets",
  validateSearch: targetsSearch,
  component: lazyRouteComponent(() => import("./targets/targets-page.tsx"), "TargetsPage"),
});
const target = createRoute({
  ...under,
  path: "/targets/$targetId",
  component: lazyRouteComponent(() => import("./targets/target-page.tsx"), "TargetPage"),
});
const scans = createRoute({
  ...under,
  path: "/scans",
  validateSearch: scansSearch,
  component: lazyRouteComponent(() => import("./scans/scans-page.tsx"), "ScansPage"),
});
const newScan = createRoute({
  ...under,
  path: "/scans/new",
  component: lazyRouteComponent(() => import("./scans/new-scan-page.tsx"), "NewScanPage"),
});
const scan = createRoute({
  ...under,
  path: "/scans/$scanId",
  component: lazyRouteComponent(() => import("./scans/scan-page.tsx"), "ScanPage"),
});
const compare = createRoute({
  ...under,
  path: "/compare",
  validateSearch: compareSearch,
  component: lazyRouteComponent(() => import("./scans/compare-page.tsx"), "ComparePage"),
});
const schedules = createRoute({
  ...under,
  path: "/schedules",
  component: lazyRouteComponent(() => import("./schedules/schedules-page.tsx"), "SchedulesPage"),
});
const keys = createRoute({
  ...under,
  path: "/keys",
  component: lazyRouteComponent(() => import("./keys/keys-page.tsx"), "KeysPage"),
});
const members = createRoute({
  ...under,
  path: "/members",
  component: lazyRouteComponent(() => import("./members/members-page.tsx"), "MembersPage"),
});
const webhooks = createRoute({
  ...under,
  path: "/webhooks",
  component: lazyRouteComponent(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const usage = createRoute({
  ...under,
  path: "/usage",
  component: lazyRouteComponent(() => import("./usage/usage-page.tsx"), "UsagePage"),
});
const audit = createRoute({
  ...under,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyRouteComponent(() => import("./audit/audit-page.tsx"), "AuditPage"),
});
const settings = createRoute({
  ...under,
  path: "/settings",
  component: lazyRouteComponent(() => import("./session/settings-page.tsx"), "SettingsPage"),
});

const accounts = createRoute({
  ...under,
  path: "/accounts",
  validateSearch: accountsSearch,
  component: lazyRouteComponent(() => import("./administration/accounts-page.tsx"), "AccountsPage"),
});
const users = createRoute({
  ...under,
  path: "/users",
  component: lazyRouteComponent(() => import("./administration/users-page.tsx"), "UsersPage"),
});
const signInSettings = createRoute({
  ...under,
  path: "/sign-in-settings",
  component: lazyRouteComponent(() => import("./administration/sign-in-page.tsx"), "SignInPage"),
});
const queue = createRoute({
  ...under,
  path: "/queue",
  component: lazyRouteComponent(() => import("./administration/queue-page.tsx"), "QueuePage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    scans,
    newScan,
    scan,
    compare,
    overview,
    findings,
    finding,
    targets,
    target,
    schedules,
    keys,
    members,
    webhooks,
    usage,
    audit,
    settings,
    accounts,
    users,
    signInSettings,
    queue,
  ]),
  scrollRestoration: true,
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
