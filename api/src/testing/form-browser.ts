/** A page as a browser without scripts gets it. */
export interface Page {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly headers: Headers;
}

/** Requests with the cookies of one browser, as it would send them from a page of the service. */
export class FormBrowser {
  readonly origin: string;
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string>;

  constructor(origin: string, headers: Record<string, string> = {}) {
    this.origin = origin;
    this.headers = headers;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Page> {
    return this.#fetch(path, { headers });
  }

  post(
    path: string,
    fields: Record<string, string> = {},
    headers: Record<string, string> = {},
  ): Promise<Page> {
    const init = { method: "POST", body: new URLSearchParams(fields).toString() };
    const type = { "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin" };
    return this.#fetch(path, { ...init, headers: { ...type, ...headers } });
  }

  async #fetch(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const url = new URL(path, this.origin);
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...(cookie && { Cookie: cookie }), ...this.headers, ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = response.headers.get("location");
    return { status: response.status, text: await response.text(), location, headers: response.headers };
  }
}
