/** Every page of the dashboard that can be opened by its address alone. */
export const PAGES = [
  "/",
  "/scans",
  "/scans/new",
  "/findings",
  "/findings/1",
  "/targets",
  "/targets/1",
  "/schedules",
  "/keys",
  "/members",
  "/webhooks",
  "/usage",
  "/audit",
  "/settings",
  "/nothing",
] as const;

/** The pages of administrators of the service alone. */
export const ADMINISTRATOR_PAGES = [
  "/accounts",
  "/users",
  "/sign-in-settings",
  "/queue",
  "/audit?accounts=all",
] as const;

/** The looks in which each page is examined: both themes, on a narrow and on a wide screen. */
export const LOOKS = (["light", "dark"] as const).flatMap((colorScheme) =>
  [320, 1280].map((width) => ({ colorScheme, viewport: { width, height: 900 } })),
);
