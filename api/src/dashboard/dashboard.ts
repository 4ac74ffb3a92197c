import type { Session, Store } from "@glovebox/store";
import { navigationOf } from "./navigation.ts";
import type { UnmatchedHandler } from "../http/app.ts";
import { pageHeaders, withTheme } from "../http/html-page.ts";
import type { Operation } from "../http/route.ts";
import type { ApiRequest, ApiResponse } from "../http/request-context.ts";
import { respond } from "../http/respond.ts";
import type { DashboardFiles } from "./dashboard-files.ts";

const PAGE_HEADERS = pageHeaders(["img-src 'self'", "font-src 'self'", "connect-src 'self'"]);
const IMMUTABLE = "public, max-age=31536000, immutable";
/** What begins so belongs to other interfaces, whose 404s are not pages. */
const NOT_PAGES = /^\/(v1|admin|mcp|assets|sign-in|sign-out|invitation|profile)(\/|$)/;
const SIGN_IN_PATH = "/sign-in";

export interface DashboardDeps {
  readonly files: DashboardFiles;
  /** The session of a request's cookie. */
  readonly sessionOf: (headers: ApiRequest["headers"]) => Promise<Session | undefined>;
  readonly accounts: Pick<Store["accounts"], "find" | "findById">;
  /** Records the account that a user opened last, to which `/` leads. */
  readonly selectAccount: Store["sessions"]["selectAccount"];
}

/** Assets are public and not counted against the rate limit of an address: a page loads a dozen in parallel. */
export const assetOperations = ({ paths }: DashboardFiles): Pick<Operation, "path" | "access">[] =>
  paths.map((path) => ({ path, access: "probe" }));

/**
 * Serves the dashboard at every path that no route has: assets under their names, and the page to navigations of signed-in
 * browsers, with the account of its path. Without a session it sends them to the sign-in page. Everything else stays a 404 of
 * the API.
 */
export function serveDashboard(deps: DashboardDeps): UnmatchedHandler {
  const { files, sessionOf } = deps;
  return async (req, res, next) => {
    if (req.method !== "GET" && req.method !== "HEAD") return next();
    const asset = await files.read(req.path, req.headers["accept-encoding"]);
    if (asset) return respondAsset(res, asset);
    if (NOT_PAGES.test(req.path) || !isNavigation(req)) return next();
    res.locals.context.route = "dashboard";
    const session = await sessionOf(req.headers);
    if (!session) return redirectToSignIn(req, res);
    const navigation = await navigationOf(req, session, deps);
    if ("location" in navigation) return redirect(res, navigation.location);
    return respond(res, {
      status: 200,
      headers: PAGE_HEADERS,
      body: withAccount(withTheme(files.page, req.headers.cookie), navigation.accountId),
    });
  };
}

/** The page with the id of its account, which every call of the page then names. */
const withAccount = (page: string, accountId: string | undefined): string =>
  accountId === undefined ? page : page.replace("<html ", `<html data-account="${accountId}" `);

function respondAsset(
  res: ApiResponse,
  asset: NonNullable<Awaited<ReturnType<DashboardFiles["read"]>>>,
): void {
  const { body, type, encoding } = asset;
  res.locals.context.route = "dashboard";
  respond(res, {
    status: 200,
    headers: {
      "Content-Type": type,
      "Cache-Control": IMMUTABLE,
      "Cross-Origin-Resource-Policy": "same-origin",
      Vary: "Accept-Encoding",
      ...(encoding && { "Content-Encoding": encoding }),
    },
    body,
  });
}

const isNavigation = (req: ApiRequest): boolean => /(^|[,\s])text\/html\b/i.test(req.headers.accept ?? "");

/** The path that was asked for, so that the sign-in page can return to it; the query of a list is part of it. */
function redirectToSignIn(req: ApiRequest, res: ApiResponse): void {
  const query = req.originalUrl === "/" ? "" : `?next=${encodeURIComponent(req.originalUrl)}`;
  redirect(res, `${SIGN_IN_PATH}${query}`);
}

const redirect = (res: ApiResponse, location: string): void =>
  respond(res, {
    status: 303,
    headers: { Location: location, "Cache-Control": "no-store", Vary: "Cookie" },
    body: "",
  });
