import {
  Link,
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Page } from "./parts/page.tsx";
import { Empty } from "./parts/states.tsx";
import { AccountFoot } from "./session/account-foot.tsx";
import { useSession } from "./session/use-session.ts";
import { linksFor, type NavigationGroup } from "./shell/navigation.tsx";
import { Shell } from "./shell/shell.tsx";

const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: "Account",
    links: [
      { to: "/keys", label: "API keys", permission: "keys:read" },
      { to: "/settings", label: "Settings" },
    ],
  },
];

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

const first = createRoute({
  ...under,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings" });
  },
});
const keys = createRoute({
  ...under,
  path: "/keys",
  component: lazyRouteComponent(() => import("./keys/keys-page.tsx"), "KeysPage"),
});
const settings = createRoute({
  ...under,
  path: "/settings",
  component: lazyRouteComponent(() => import("./session/settings-page.tsx"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([first, keys, settings]),
  scrollRestoration: true,
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
