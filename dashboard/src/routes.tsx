import { Link, Outlet, createRootRoute, createRouter } from "@tanstack/react-router";
import { Page } from "./parts/page.tsx";
import { Empty } from "./parts/states.tsx";
import { Shell } from "./shell/shell.tsx";

const root = createRootRoute({
  component: () => (
    <Shell groups={[]}>
      <Outlet />
    </Shell>
  ),
  notFoundComponent: () => (
    <Page title="Not found">
      <Empty title="There is no such page" action={<Link to="/">Go to the overview</Link>} />
    </Page>
  ),
});

export const router = createRouter({ routeTree: root, scrollRestoration: true, defaultPreload: "intent" });

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
