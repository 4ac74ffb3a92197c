import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import type { Services } from "../deps.ts";
import { requireJson } from "../http/request-body.ts";
import type { ApiRequest, ApiResponse } from "../http/request-context.ts";
import { asApiError, isUnexpected, responded, standardHeaders, type HttpResponse } from "../http/respond.ts";
import { requireSameOrigin } from "../http/same-origin.ts";
import { describeFault } from "../observability.ts";
import { sessionOf } from "../sign-in/sign-in-cookies.ts";
import { accountIdOf } from "./account-of-call.ts";
import { compressed } from "./compressed.ts";
import { adminRouter } from "./router.ts";
import { errorShape, trpcError, type AdminContext } from "./trpc.ts";

/** Where the admin interface is, relative to the public URL. */
export const ADMIN_PATH = "/admin/trpc";
/** Largest body, in bytes, of all calls of a batch together. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_BATCH = 10;

/** How many calls the path of a request names: tRPC joins the calls of a batch by commas. */
export function callsIn(path: string): number {
  if (!path.startsWith(`${ADMIN_PATH}/`)) return 1;
  const commas = path.match(/,|%2c/gi) ?? [];
  return Math.min(commas.length + 1, MAX_BATCH);
}

/**
 * Responds to a request to the admin interface. What tRPC does not check is checked before it: that a page of this service sent the
 * request, because a cookie authenticates it, and that its body is JSON, because tRPC runs a mutation from a form that any page
 * can send.
 * @throws ApiError before any response was sent
 */
export async function serveAdmin(req: ApiRequest, res: ApiResponse, services: Services): Promise<void> {
  const { context } = res.locals;
  context.route = ADMIN_PATH;
  requireSameOrigin(req.headers, services.publicUrl());
  if (req.method === "POST") requireJson(req.headers["content-type"], req.headers["content-encoding"]);
  if (req.headers.expect) res.writeContinue();
  addStandardHeaders(res);
  const admin: AdminContext = {
    services,
    session: context.session,
    accountId: accountIdOf(req.url),
    readSession: () => sessionOf(req.headers, services.store.sessions),
    signal: closeSignal(res, services),
    requestId: context.requestId,
    ip: context.address ?? null,
  };
  await nodeHTTPRequestHandler({
    ...{ req, res: compressed(req, res) },
    router: adminRouter,
    path: req.path.slice(ADMIN_PATH.length + 1),
    createContext: async () => admin,
    maxBatchSize: MAX_BATCH,
    maxBodySize: MAX_BODY_BYTES,
    onError: ({ error }) => {
      // Subscriptions throw their own errors, which tRPC takes for faults.
      if (error.code !== "INTERNAL_SERVER_ERROR" || !isUnexpected(error.cause)) return;
      const fault = describeFault(error.cause ?? error);
      services.logger.error(
        { requestId: context.requestId, route: ADMIN_PATH, ...fault },
        "unexpected failure",
      );
    },
  });
}

/** What is refused before tRPC, in its form: clients find the code of every error in `error.data`. */
export function adminErrorResponse(
  error: unknown,
  requestId: string,
): HttpResponse & { readonly body: string } {
  const refusal = asApiError(error, requestId);
  const shape = errorShape(trpcError(refusal), requestId);
  const { httpStatus: status } = shape.data;
  return { status, headers: refusal.headers, body: JSON.stringify({ error: shape }) };
}

/** tRPC writes the response: its headers are set beforehand, and its end is observed. */
function addStandardHeaders(res: ApiResponse): void {
  const lines = standardHeaders(res.locals.context);
  for (let at = 0; at < lines.length; at += 2) res.setHeader(lines[at]!, lines[at + 1]!);
  res.setHeader("Cache-Control", "no-store");
  if (res.locals.context.isClosing()) res.setHeader("Connection", "close");
}

const CLIENT_CLOSED_REQUEST = 499;

function closeSignal(res: ApiResponse, { closing }: Services): AbortSignal {
  const closed = new AbortController();
  // The response to a stream that began before the shutdown promises to keep its connection.
  res.once("finish", () => closing.aborted && res.req.socket.end());
  res.once("close", () => {
    closed.abort();
    responded(res, res.writableFinished ? res.statusCode : CLIENT_CLOSED_REQUEST);
  });
  return AbortSignal.any([closed.signal, closing]);
}
