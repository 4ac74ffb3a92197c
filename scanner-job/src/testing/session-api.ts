import { fakeApi, type FakeResponse, type Incoming } from "./fake-api.ts";

interface Options {
  readonly by?: "token" | "cookie";
  /** Whether a sign-out ends the session on the server. */
  readonly forgets?: boolean;
  readonly signsOut?: boolean;
  readonly signOutStatus?: number;
  readonly expiresIn?: number;
  /** Whether a token expires, by this clock in milliseconds. */
  readonly now?: () => number;
  /** How refresh tokens are treated. */
  readonly refresh?: "rotated once" | "rotated, all valid" | "never rotated" | "ignored";
  /** Whether a sign-in gives the session another id. */
  readonly renewsId?: boolean;
  readonly issued?: readonly string[];
}

const UNAUTHORIZED: FakeResponse = { status: 401, json: { error: "Sign in first" } };

/** An API with sessions: `POST /sign-in`, `POST /sign-out`, `POST /refresh` and `GET /orders` behind them; and what it issued. */
export function sessionApi({
  by = "token",
  forgets = true,
  signsOut = true,
  signOutStatus = 204,
  expiresIn,
  now,
  refresh,
  renewsId = true,
  issued: given = [],
}: Options) {
  const issued = new Set(given);
  const signedOut = new Set<string>();
  const expiries = new Map<string, number>();
  const refreshes = new Map<string, boolean>();
  const visitors = new Set<string>();
  let count = 0;
  const sentIn = ({ headers }: Incoming): string =>
    by === "token"
      ? (headers.authorization ?? "").replace("Bearer ", "")
      : (/sid=([^;]+)/.exec(headers.cookie ?? "")?.[1] ?? "");
  const isValid = (id: string): boolean =>
    issued.has(id) && !(forgets && signedOut.has(id)) && (expiries.get(id) ?? Infinity) > (now?.() ?? 0);
  const newRefresh = (): string => {
    const token = `refresh-${++count}-of-ann-abcdef`;
    refreshes.set(token, true);
    return token;
  };
  const tokens = (withRefresh: boolean): FakeResponse => {
    const token = `token-${++count}-of-ann-0123456789`;
    issued.add(token);
    if (now && expiresIn !== undefined) expiries.set(token, now() + expiresIn * 1_000);
    return {
      json: {
        access_token: token,
        ...(expiresIn !== undefined && { expires_in: expiresIn }),
        ...(withRefresh && { refresh_token: newRefresh() }),
      },
    };
  };
  const cookie = (id: string): FakeResponse => ({
    headers: { "set-cookie": `sid=${id}; HttpOnly` },
    json: { ok: true },
  });
  const newCookie = (known: Set<string>): FakeResponse => {
    const id = `session-${++count}-0123456789abcdef`;
    known.add(id);
    return cookie(id);
  };
  const keepsId = (id: string): boolean => by === "cookie" && !renewsId && visitors.has(id);

  const target = fakeApi({
    "POST /sign-in": (incoming) => {
      if (!incoming.body.includes("correct-horse")) return UNAUTHORIZED;
      const id = sentIn(incoming);
      if (keepsId(id)) {
        issued.add(id);
        return { json: { ok: true } };
      }
      return by === "cookie" ? newCookie(issued) : tokens(refresh !== undefined);
    },
    "GET /sign-in": () =>
      by === "cookie" ? newCookie(visitors) : { status: 405, json: { error: "POST only" } },
    ...(signsOut && {
      "POST /sign-out": (incoming: Incoming): FakeResponse => {
        if (!isValid(sentIn(incoming))) return UNAUTHORIZED;
        signedOut.add(sentIn(incoming));
        return {
          status: signOutStatus,
          ...(by === "cookie" && { headers: { "set-cookie": "sid=; Max-Age=0" } }),
        };
      },
    }),
    "POST /refresh": ({ body }) => {
      if (refresh === undefined) return { status: 404, json: { error: "Not found" } };
      if (refresh === "ignored") return tokens(true);
      const sent = /refresh-\d+-of-ann-abcdef/.exec(body)?.[0] ?? "";
      if (refreshes.get(sent) !== true) return UNAUTHORIZED;
      if (refresh === "rotated once") refreshes.set(sent, false);
      return tokens(refresh !== "never rotated");
    },
    "GET /orders": (incoming) =>
      isValid(sentIn(incoming)) ? { json: [{ id: 7, item: "Tea", amount: 3 }] } : UNAUTHORIZED,
  });
  return { target, issued, signedOut };
}
