/** The cookies that responses have set, by name (RFC 6265). Paths and domains are not kept: all requests go to one API. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  get cookies(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#cookies);
  }

  get isEmpty(): boolean {
    return this.#cookies.size === 0;
  }

  /** Takes the cookies of a response, or only those that it has already. */
  take(setCookie: string | undefined, { onlyKnown = false }: { readonly onlyKnown?: boolean } = {}): void {
    for (const { name, value, isDeleted } of parsedCookies(setCookie)) {
      if (onlyKnown && !this.#cookies.has(name)) continue;
      if (isDeleted) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  clear(): void {
    this.#cookies.clear();
  }
}

const MAX_COOKIES = 50;

/** The cookies of `Set-Cookie` headers, one a line. */
export const parsedCookies = (setCookie = "") =>
  setCookie
    .split("\n")
    .slice(0, MAX_COOKIES)
    .flatMap((line) => {
      const [, name, value = "", attributes = ""] = /^\s*([^=;\s]+)=([^;]*)(.*)$/.exec(line) ?? [];
      if (name === undefined) return [];
      const expires = Date.parse(/; *expires=([^;]+)/i.exec(attributes)?.[1] ?? "");
      const isDeleted =
        value.trim() === "" || /; *max-age=(0|-\d+)\b/i.test(attributes) || expires <= Date.UTC(1971, 0, 1);
      return [{ name, value: value.trim(), isDeleted }];
    });
