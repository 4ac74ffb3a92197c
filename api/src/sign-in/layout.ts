import { markup, type Markup } from "@glovebox/report";
import { pageHeaders, withTheme } from "../http/html-page.ts";
import type { HttpResponse } from "../http/respond.ts";

const HEADERS = pageHeaders();

export interface PageContent {
  readonly title: string;
  readonly body: Markup;
  readonly status?: number;
  readonly cookies?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The page asks for a passkey. */
  readonly usesPasskeys?: boolean;
  readonly isWide?: boolean;
}

/** A page of sign-in, in the theme of the request's cookie. */
export function pageResponse(content: PageContent, cookie: string | undefined): HttpResponse {
  const { title, body, status = 200, cookies, usesPasskeys = false, isWide = false } = content;
  const script = usesPasskeys ? markup`<script src="/sign-in/passkey.js" defer></script>` : null;
  const page = markup`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Glovebox</title>
        <link rel="stylesheet" href="/sign-in/style.css" />
        ${script}
      </head>
      <body>
        <main class="${isWide ? "wide" : "narrow"}">
          <p class="brand">
            <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
              <rect x="2" y="5" width="28" height="22" rx="5" class="box" />
              <circle cx="11" cy="16" r="4.2" class="left" />
              <circle cx="21" cy="16" r="4.2" class="right" />
            </svg>
            Glovebox
          </p>
          <h1>${title}</h1>
          ${body}
        </main>
      </body>
    </html> `;
  return {
    status,
    cookies,
    headers: { ...HEADERS, ...content.headers },
    body: withTheme(page.text, cookie),
  };
}

/** To another page; the browser asks for it with GET. */
export const redirect = (location: string, cookies: readonly string[] = []): HttpResponse => ({
  status: 303,
  headers: { Location: location },
  cookies,
  body: "",
});

/** A path of this origin to go on to; anything else would send a user who has just signed in elsewhere. */
export function localPath(path: string | null | undefined): string {
  if (!path || path.length > 2_000 || !path.startsWith("/")) return "/";
  const origin = "https://glovebox.invalid";
  // Browsers take a backslash for a slash and drop tabs and line breaks: the parser decides what the path is.
  if (!URL.canParse(path, origin)) return "/";
  const url = new URL(path, origin);
  const to = `${url.pathname}${url.search}`;
  return url.origin !== origin || to.startsWith("//") ? "/" : to;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: "text" | "email" | "password";
  readonly autocomplete: string;
  readonly value?: string | undefined;
  readonly help?: string;
}

export function field({ name, label, type = "text", autocomplete, value = "", help }: Field): Markup {
  const lower = type === "email" ? markup` autocapitalize="none" spellcheck="false"` : null;
  const described = help ? markup` aria-describedby="${name}-help"` : null;
  return markup`<div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      value="${value}"
      required${lower}${described}
    />
    ${help ? markup`<p class="help" id="${name}-help">${help}</p>` : null}
  </div>`;
}

/** What went wrong, read out as soon as the page is there. */
export const problemNote = (problem: string | undefined): Markup | null =>
  problem === undefined ? null : markup`<p class="problem" role="alert">${problem}</p>`;
