import { ApiError, ERRORS, inputText } from "@glovebox/contract";
import { markup } from "@glovebox/report";
import type { Session } from "@glovebox/store";
import type { Services } from "../deps.ts";
import { fieldName, readForm } from "../http/request-body.ts";
import type { ApiRequest } from "../http/request-context.ts";
import type { HttpResponse } from "../http/respond.ts";
import type { Route } from "../http/route.ts";
import { isSameOrigin } from "../http/same-origin.ts";
import { isLoopback } from "../settings/oidc-providers.ts";
import { pageResponse, redirect, type PageContent } from "./layout.ts";
import { signInRefusal } from "./public-url.ts";
import { noSessionCookie, sessionOf } from "./sign-in-cookies.ts";

/** A request to a page, in a service that users can sign in to. */
export interface PageRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Of a POST. */
  readonly form: URLSearchParams;
  readonly session: Session | undefined;
  readonly publicUrl: URL;
  /** The whole address, under the public URL. */
  readonly url: URL;
  readonly ip: string | undefined;
  readonly requestId: string;
  readonly agent: string | null;
  readonly cookie: string | undefined;
  /** A page of this service sent it. Always so for a POST. */
  readonly isSameOrigin: boolean;
  readonly show: (content: PageContent) => HttpResponse;
}

interface PageDefinition {
  readonly method: "get" | "post";
  readonly path: string;
  readonly handler: (request: PageRequest, services: Services) => Promise<HttpResponse>;
}

const MAX_AGENT = 300;

/** A page of sign-in: HTML, for browsers. Forms are accepted from pages of this service alone. */
export const createPage = ({ method, path, handler }: PageDefinition): Route<Services> => ({
  operationId: `${method} ${path}`,
  method,
  path,
  access: "public",
  async handle(req, res, services) {
    const { cookie, host } = req.headers;
    const show = (content: PageContent): HttpResponse => pageResponse(content, cookie);
    const publicUrl = services.publicUrl();
    const refusal = signInRefusal(publicUrl);
    if (refusal !== undefined || !publicUrl) return show(failure(503, refusal ?? ""));
    const url = new URL(req.originalUrl, publicUrl);
    // This machine has several names; cookies and passkeys belong to one of them.
    if (method === "get" && isLoopback(publicUrl) && host !== publicUrl.host) return redirect(url.href);
    const fromOwnPage = isSameOrigin(req.headers, publicUrl);
    if (method === "post" && !fromOwnPage)
      return show(failure(403, `This form was not sent by a page of ${publicUrl.origin}.`));
    try {
      const form = method === "post" ? await readForm(req, res) : new URLSearchParams();
      refuseUnstorable(form);
      const session = await sessionOf(req.headers, services.store.sessions);
      const { requestId, address } = res.locals.context;
      return await handler(
        {
          ...{ form, session, publicUrl, url, cookie, show, requestId, ip: address, agent: agentOf(req) },
          ...{ params: paramsOf(req), query: url.searchParams, isSameOrigin: fromOwnPage },
        },
        services,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return show({ ...failure(ERRORS[error.code].status, error.message), headers: error.headers });
    }
  },
});

/** A request to a page of a user who is signed in. */
export type UserRequest = PageRequest & { readonly session: Session };

type UserPageDefinition = Omit<PageDefinition, "handler"> & {
  readonly handler: (request: UserRequest, services: Services) => Promise<HttpResponse>;
};

/** A page for users who are signed in; others are sent to sign in first. */
export const createUserPage = ({ handler, ...page }: UserPageDefinition): Route<Services> =>
  createPage({
    ...page,
    async handler(request, services) {
      const { session } = request;
      if (session) return handler({ ...request, session }, services);
      const next = page.method === "get" ? `?next=${encodeURIComponent(request.url.pathname)}` : "";
      return redirect(`/sign-in${next}`, [noSessionCookie()]);
    },
  });

/**
 * A form that changes what a user signs in with: a session alone does not send it. Users who have not given their password or a
 * passkey just before are sent to do so, and back to the profile.
 */
export const createConfirmedPage = ({ handler, ...page }: UserPageDefinition): Route<Services> =>
  createUserPage({
    ...page,
    handler: async (request, services) =>
      request.session.isConfirmed ? handler(request, services) : redirect(confirmationPath("/profile")),
  });

/** Where a user confirms who they are, and then goes on. */
export const confirmationPath = (next: string): string => `/profile/confirm?next=${encodeURIComponent(next)}`;

/** A page that says what went wrong, with the way back. */
const failure = (status: number, message: string): PageContent => ({
  title: "That did not work",
  status,
  body: markup`<p class="problem" role="alert">${message}</p>
    <p><a href="/sign-in">Sign in</a></p>`,
});

/** Passwords are hashed, and `localPath` decides where to go on. */
const NOT_STORED: readonly string[] = ["password", "current", "next"];

/** @throws ApiError `invalid_request`, which names the field */
function refuseUnstorable(form: URLSearchParams): void {
  for (const [name, value] of form) {
    const problem = NOT_STORED.includes(name) ? undefined : inputText.safeParse(value).error?.issues[0];
    if (problem) throw new ApiError("invalid_request", problem.message, { field: fieldName(name) });
  }
}

const paramsOf = (req: ApiRequest): Record<string, string> =>
  Object.fromEntries(Object.entries(req.params).map(([name, value]) => [name, String(value)]));

const agentOf = (req: ApiRequest): string | null => req.headers["user-agent"]?.slice(0, MAX_AGENT) ?? null;
