import {
  Link,
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  useLocation,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { accountsSearch } from "./administration/accounts-search.ts";
import { auditSearch } from "./audit/audit-search.ts";
import { findingsSearch } from "./findings/findings-search.ts";
import { ACCOUNT_PATH } from "./account.ts";
import { NAVIGATION, needsAccount } from "./navigation.ts";
import { OverviewPage } from "./overview/overview-page.tsx";
import { Page } from "./parts/page.tsx";
import { Empty } from "./parts/states.tsx";
import { compareSearch, scansSearch } from "./scans/scans-search.ts";
import { AccountFoot } from "./session/account-foot.tsx";
import { NoAccount } from "./session/no-account.tsx";
import { SignInDialog } from "./session/sign-in-dialog.tsx";
import { useSessionQuery, type SignedInUser } from "./session/use-session.ts";
import { linksFor, type NavigationGroup } from "./shell/navigation.tsx";
import { lazyPage } from "./shell/lazy-page.ts";
import { PageFailed } from "./shell/page-failed.tsx";
import { Shell } from "./shell/shell.tsx";
import { targetsSearch } from "./targets/targets-search.ts";

const root = createRootRoute({ component: Root, notFoundComponent: NotFound });

function Root(): ReactNode {
  const { data: user, error } = useSessionQuery();
  const { pathname } = useLocation();
  const groups = error && !user ? NAVIGATION.slice(0, -1) : navigationFor(user);
  return (
    <Shell groups={groups} account={<AccountFoot />}>
      {user?.account === null && needsAccount(pathname) ? <NoAccount user={user} /> : <Outlet />}
      <SignInDialog />
    </Shell>
  );
}

/** Until it is known who is signed in, nothing; without an account, the pages that need none. */
const navigationFor = (user: SignedInUser | undefined): readonly NavigationGroup[] =>
  user ? linksFor(NAVIGATION, user.permissions).filter(({ isOfService }) => isOfService || user.account) : [];

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
  component: lazyPage(() => import("./findings/findings-page.tsx"), "FindingsPage"),
});
const finding = createRoute({
  ...under,
  path: "/findings/$findingId",
  component: lazyPage(() => import("./findings/finding-page.tsx"), "FindingPage"),
});
const targets = createRoute({
  ...under,
  path: "/targets",
  validateSearch: targetsSearch,
  component: lazyPage(() => import("./targets/targets-page.tsx"), "TargetsPage"),
});
const target = createRoute({
  ...under,
  path: "/targets/$targetId",
  component: lazyPage(() => import("./targets/target-page.tsx"), "TargetPage"),
});
const scans = createRoute({
  ...under,
  path: "/scans",
  validateSearch: scansSearch,
  component: lazyPage(() => import("./scans/scans-page.tsx"), "ScansPage"),
});
const newScan = createRoute({
  ...under,
  path: "/scans/new",
  component: lazyPage(() => import("./scans/new-scan-page.tsx"), "NewScanPage"),
});
const scan = createRoute({
  ...under,
  path: "/scans/$scanId",
  component: lazyPage(() => import("./scans/scan-page.tsx"), "ScanPage"),
});
const compare = createRoute({
  ...under,
  path: "/compare",
  validateSearch: compareSearch,
  component: lazyPage(() => import("./scans/compare-page.tsx"), "ComparePage"),
});
const schedules = createRoute({
  ...under,
  path: "/schedules",
  component: lazyPage(() => import("./schedules/schedules-page.tsx"), "SchedulesPage"),
});
const keys = createRoute({
  ...under,
  path: "/keys",
  component: lazyPage(() => import("./keys/keys-page.tsx"), "KeysPage"),
});
const members = createRoute({
  ...under,
  path: "/members",
  component: lazyPage(() => import("./members/members-page.tsx"), "MembersPage"),
});
const webhooks = createRoute({
  ...under,
  path: "/webhooks",
  component: lazyPage(() => import("./webhooks/webhooks-page.tsx"), "WebhooksPage"),
});
const usage = createRoute({
  ...under,
  path: "/usage",
  component: lazyPage(() => import("./usage/usage-page.tsx"), "UsagePage"),
});
const audit = createRoute({
  ...under,
  path: "/audit",
  validateSearch: auditSearch,
  component: lazyPage(() => import("./audit/audit-page.tsx"), "AuditPage"),
});
const settings = createRoute({
  ...under,
  path: "/settings",
  component: lazyPage(() => import("./settings/settings-page.tsx"), "SettingsPage"),
});

const accounts = createRoute({
  ...under,
  path: "/accounts",
  validateSearch: accountsSearch,
  component: lazyPage(() => import("./administration/accounts-page.tsx"), "AccountsPage"),
});
const users = createRoute({
  ...under,
  path: "/users",
  component: lazyPage(() => import("./administration/users-page.tsx"), "UsersPage"),
});
const signInSettings = createRoute({
  ...under,
  path: "/sign-in-settings",
  component: lazyPage(() => import("./administration/sign-in-page.tsx"), "SignInPage"),
});
const queue = createRoute({
  ...under,
  path: "/queue",
  component: lazyPage(() => import("./administration/queue-page.tsx"), "QueuePage"),
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
  basepath: ACCOUNT_PATH ?? "/",
  defaultErrorComponent: PageFailed,
  scrollRestoration: true,
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
