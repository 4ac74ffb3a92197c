import { type Browser, type BrowserContext, type Page, chromium } from "@playwright/test";

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-dev-shm-usage"],
  });

/** Signs in on the pages of oidc-provider, and goes back to where they lead. */
export async function throughProvider(page: Page, login: string): Promise<void> {
  await page.getByPlaceholder("Enter any login").fill(login);
  await page.getByPlaceholder("and password").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}

/** The response of the admin interface to a request that this browser sends without a page. */
export async function adminStatus(
  from: BrowserContext,
  procedure: string,
  input: object,
  method = "POST",
): Promise<number> {
  const headers = { "sec-fetch-site": "same-origin", "content-type": "application/json" };
  const query =
    (await accountOf(from)) + (method === "GET" ? `&input=${encodeURIComponent(JSON.stringify(input))}` : "");
  const response = await from.request.fetch(`/admin/trpc/${procedure}${query}`, {
    ...{ method, headers },
    ...(method === "POST" && { data: input }),
  });
  return response.status();
}

/** The query that names the first account of the user of this browser; it names none where nobody is signed in. */
async function accountOf(from: BrowserContext): Promise<string> {
  const response = await from.request.get("/admin/trpc/session.me?input=%7B%7D", {
    headers: { "sec-fetch-site": "same-origin" },
  });
  const { result } = (await response.json()) as {
    result?: { data: { memberships: { accountId: string }[] } };
  };
  return result ? `?account=${result.data.memberships[0]!.accountId}` : "?";
}
