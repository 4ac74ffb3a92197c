import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { OidcProvider } from "../settings/oidc-providers.ts";

/** What the provider says of a user, whose login is the subject. */
export type Person = Readonly<Record<string, unknown>>;

export interface IdentityProvider {
  readonly issuer: string;
  readonly people: Map<string, Person>;
  /** For the settings of the service. */
  readonly setting: OidcProvider;
  /** Accepts logins for the service at this address. */
  serve(publicUrl: string): void;
  /** Takes a browser from the provider's address through its pages, as this person; the address that it leads back to. */
  logIn(url: string, login: string): Promise<string>;
  close(): Promise<void>;
}

/** A real OpenID Connect provider on loopback. */
export async function startIdentityProvider(
  id: string,
  over: Partial<OidcProvider> = {},
): Promise<IdentityProvider> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const people = new Map<string, Person>();
  const client = { client_id: "glovebox", client_secret: "a-client-secret" };
  return {
    issuer,
    people,
    setting: {
      ...{
        id,
        name: `Provider ${id}`,
        issuer,
        clientId: client.client_id,
        clientSecret: client.client_secret,
      },
      ...{
        scopes: ["openid", "email", "profile", "groups"],
        groupsClaim: "groups",
        administrators: [],
        roles: [],
      },
      ...over,
    },
    serve(publicUrl) {
      const provider = new Provider(issuer, {
        clients: [{ ...client, redirect_uris: [`${publicUrl}/sign-in/oidc/${id}/callback`] }],
        claims: {
          openid: ["sub"],
          email: ["email", "email_verified"],
          profile: ["name"],
          groups: ["groups"],
        },
        cookies: { keys: ["a key for tests"] },
        findAccount: (_ctx, sub) => ({
          accountId: sub,
          claims: async () => ({ sub, ...people.get(sub) }),
        }),
      });
      const handle = provider.callback();
      server.on("request", (req, res) => void handle(req, res));
    },
    logIn: (url, login) => logIn(url, login, issuer),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function logIn(start: string, login: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  let body: URLSearchParams | undefined;
  for (let hop = 0; hop < 15; hop++) {
    const init = {
      redirect: "manual" as const,
      headers: { Cookie: [...cookies].map((pair) => pair.join("=")).join("; ") },
    };
    const response = await fetch(url, body ? { ...init, method: "POST", body } : init);
    body = undefined;
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location !== null) {
      url = new URL(location, url).href;
      if (!url.startsWith(issuer)) return url;
      continue;
    }
    const page = await response.text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
    if (prompt === undefined)
      throw new Error(`the provider gave no form: ${response.status} ${page.slice(0, 300)}`);
    url = new URL(/action="([^"]+)"/.exec(page)![1]!, url).href;
    body = new URLSearchParams({ prompt, login, password: "x" });
  }
  throw new Error("the provider redirects without end");
}
