import type { Page } from "@playwright/test";

/** Of a request that a page of the service sends, which this one does not. */
export const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };

/** Who is signed in in the browser of this page. */
export async function signedInUser({ request }: Page): Promise<{ id: string; email: string }> {
  const response = await request.get("/admin/trpc/session.me?input=%7B%7D", { headers: SAME_ORIGIN });
  const { result } = (await response.json()) as { result: { data: { id: string; email: string } } };
  return result.data;
}

/** Problems of pages, without those that Chromium and React report of requests that are refused or fail on purpose. */
export const unexpected = (problems: readonly string[]): string[] =>
  problems.filter((text) => !/Failed to load resource|ERR_INTERNET_DISCONNECTED|PageNotLoaded/.test(text));
