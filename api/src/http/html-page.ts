/**
 * Headers of a page for signed-in browsers: only files of this origin, nothing inline, no script made of text, forms that stay
 * here, and no frame. `directives`: what the page may load besides scripts and styles.
 */
export const pageHeaders = (directives: readonly string[] = []): Readonly<Record<string, string>> => ({
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ...directives,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
  Vary: "Cookie",
});

/** The page in the theme of the cookie: a class that is there from the start shows no other theme first. */
export function withTheme(page: string, cookie: string | undefined): string {
  const theme = /(?:^|;\s*)glovebox-theme=(light|dark)(?:;|$)/.exec(cookie ?? "")?.[1];
  return theme ? page.replace("<html ", `<html class="theme-${theme}" `) : page;
}
