/**
 * The account of this document, from its path: `/a/payments/findings`. A document never changes its account, so that what a tab
 * shows and does is about one: another account is another document.
 */
export const ACCOUNT_PATH = /^\/a\/[^/]+/.exec(globalThis.location.pathname)?.[0];

/** Its id, as the server resolved it: undefined without one, and without access to it. Every call states it. */
export const ACCOUNT_ID = document.documentElement.dataset["account"];

/** A page of an account, such as `/scans/…`, as the address of another document. */
export const pathInAccount = ({ id, name }: { id: string; name: string }, path = "/"): string =>
  `/a/${name === "." || name === ".." ? id : encodeURIComponent(name)}${path}`;
