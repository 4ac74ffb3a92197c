import type { NavigationGroup } from "./shell/navigation.tsx";

/** The links of the menu, each for those who have the permission. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: "Results",
    links: [
      { to: "/", label: "Overview", permission: "findings:read" },
      { to: "/scans", label: "Scans", permission: "scans:read" },
      { to: "/findings", label: "Findings", permission: "findings:read" },
      { to: "/targets", label: "Targets", permission: "findings:read" },
      { to: "/schedules", label: "Schedules", permission: "schedules:read" },
    ],
  },
  {
    label: "Account",
    links: [
      { to: "/keys", label: "API keys", permission: "keys:read" },
      { to: "/members", label: "Members", permission: "members:read" },
      { to: "/webhooks", label: "Webhooks", permission: "webhooks:read" },
      { to: "/usage", label: "Usage", permission: "usage:read" },
      { to: "/audit", label: "Audit log", permission: "audit:read" },
      { to: "/settings", label: "Settings" },
    ],
  },
  {
    label: "Service",
    isOfService: true,
    links: [
      { to: "/accounts", label: "Accounts", permission: "accounts:administer" },
      { to: "/users", label: "Users", permission: "accounts:administer" },
      { to: "/sign-in-settings", label: "Sign-in", permission: "accounts:administer" },
      { to: "/queue", label: "Queue", permission: "accounts:administer" },
    ],
  },
];

/** Pages that there are without an account: the pages of the service, of the user, and the audit log, which may be the log of all accounts. */
const WITHOUT_ACCOUNT = new Set<string>([
  ...NAVIGATION.filter(({ isOfService }) => isOfService).flatMap(({ links }) => links.map(({ to }) => to)),
  "/settings",
  "/audit",
]);

/** Whether the page at this path is about an account. */
export const needsAccount = (pathname: string): boolean => !WITHOUT_ACCOUNT.has(pathname);
