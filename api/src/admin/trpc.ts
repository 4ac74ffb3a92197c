import { ApiError, ERRORS, type ErrorCode, type Role } from "@glovebox/contract";
import { actorOf, type Account, type Session } from "@glovebox/store";
import { TRPCError, initTRPC } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import * as z from "zod";
import type { Services } from "../deps.ts";
import { fieldPath } from "../http/request-body.ts";
import { expectedError } from "../http/respond.ts";
import { permits, type AccountPermission, type Permission } from "./permissions.ts";

/** What a procedure knows of its request. `can` looks up the account that the call names, and puts it in. */
export interface AdminContext {
  readonly services: Services;
  /** Undefined when nobody is signed in. */
  readonly session: Session | undefined;
  /** The id of the account that the call is about, as the client states it; undefined: of none. */
  readonly accountId: string | undefined;
  readonly requestId: string;
  readonly ip: string | null;
  /** Aborted when the client disconnects or the service shuts down. */
  readonly signal: AbortSignal;
  /** The session as it is now; undefined when it has ended. Asked again while a subscription runs. */
  readonly readSession: () => Promise<Session | undefined>;
}

/** The account of the call, with the role of the user in it; undefined for an administrator who is not a member. */
export interface AccountInView extends Account {
  readonly role: Role | undefined;
}

/** The error of every procedure, as clients get it in `error.data`. */
export interface AdminErrorData {
  readonly code: ErrorCode;
  readonly httpStatus: number;
  readonly requestId: string;
  /** Messages by the field of the input, as in a form. */
  readonly fields?: FieldMessages;
}

type FieldMessages = Readonly<Record<string, readonly string[]>>;

const t = initTRPC
  .context<AdminContext>()
  .meta<{ readonly permission?: Permission }>()
  .create({
    isDev: false, // or errors have their stacks
    errorFormatter: ({ error, ctx }) => errorShape(error, ctx?.requestId ?? ""),
    sse: {
      // One connection at a time is opened again when the client waits longer than the browser's own retry.
      ping: { enabled: true, intervalMs: 15_000 },
      maxDurationMs: 10 * 60_000,
      client: { reconnectAfterInactivityMs: 40_000 },
    },
  });

export const { router, mergeRouters } = t;

/** Turns the errors of commands into errors of tRPC, so that the HTTP status is right. */
const base = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok && result.error.code === "INTERNAL_SERVER_ERROR") {
    const expected = expectedError(result.error.cause);
    if (expected) throw trpcError(expected);
  }
  return result;
});

/** A procedure about the own session, for whoever is signed in. */
export const signedIn = base.meta({ permission: "session" }).use(({ ctx, next }) => {
  const session = requireSession(ctx);
  return next({ ctx: { session, actor: actorOf(session.user, ctx) } });
});

/**
 * A procedure that needs this permission in the account that the call names. Its context has the account and who acts, for the
 * audit log. This is the only authorization: procedures do not take an account from their input.
 */
export const can = (permission: AccountPermission) =>
  base.meta({ permission }).use(async ({ ctx, next }) => {
    const { session, account } = await authorize(permission, ctx);
    if (account.suspendedAt && !permission.endsWith(":read"))
      throw new ApiError("forbidden", "The account is suspended: it is read-only.");
    const actor = actorOf(session.user, ctx);
    return next({
      ctx: { session, account, actor, change: ctx.services.store.changing(actor, account.id) },
    });
  });

/** A procedure for operator administrators, over all accounts. Procedures of this kind alone may take an account from their input. */
export const administer = base.meta({ permission: "accounts:administer" }).use(({ ctx, next }) => {
  const session = requireSession(ctx);
  if (!session.user.isAdministrator) throw forbidden();
  const actor = actorOf(session.user, ctx);
  return next({ ctx: { session, actor, change: ctx.services.store.changing(actor) } });
});

/** The input of a procedure that takes none: without one, tRPC would run it from a form of any type. */
export const NO_INPUT = z.strictObject({});

/**
 * The session, and the account of the call, for a user who may do this in it.
 * @throws ApiError `unauthorized` or `forbidden`
 */
export async function authorize(
  permission: AccountPermission,
  context: Pick<AdminContext, "services" | "session" | "accountId">,
): Promise<{ readonly session: Session; readonly account: AccountInView }> {
  const session = requireSession(context);
  const account = await accountOfCall(context);
  if (!account) throw new ApiError("forbidden", "You do not have access to this account.");
  requirePermission(permission, { session, account });
  return { session, account };
}

function requireSession({ session }: Pick<AdminContext, "session">): Session {
  if (!session) throw new ApiError("unauthorized", "Sign in first.");
  return session;
}

/**
 * The account that the call names, with the role of the user in it. Undefined when it names none, or one that does not exist or
 * that the user may not see: a client learns no more than that.
 */
export async function accountOfCall({
  services,
  session,
  accountId,
}: Pick<AdminContext, "services" | "session" | "accountId">): Promise<AccountInView | undefined> {
  if (!session || accountId === undefined) return undefined;
  const role = session.memberships.find((each) => each.accountId === accountId)?.role;
  if (role === undefined && !session.user.isAdministrator) return undefined;
  const account = await services.store.accounts.findById(accountId);
  return account && { ...account, role };
}

/** Whether the session still has the permission in the same account: of streams, which outlast their request. */
export async function permitsStill(
  permission: AccountPermission,
  { readSession, account }: Pick<AdminContext, "readSession"> & { readonly account: AccountInView },
): Promise<boolean> {
  const session = await readSession();
  if (!session) return false;
  const role = session.memberships.find((each) => each.accountId === account.id)?.role;
  return permits(permission, { role, isAdministrator: session.user.isAdministrator });
}

/** @throws ApiError `forbidden` */
function requirePermission(
  permission: AccountPermission,
  { session, account }: { readonly session: Session; readonly account: AccountInView },
): void {
  const { isAdministrator } = session.user;
  if (!permits(permission, { role: account.role, isAdministrator })) throw forbidden();
}

const forbidden = (): ApiError => new ApiError("forbidden", "Your role does not allow this.");

const TRPC_CODES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
} as const;

export const trpcError = (cause: ApiError): TRPCError =>
  new TRPCError({ code: TRPC_CODES[ERRORS[cause.code].status], message: cause.message, cause });

/** Codes of tRPC's own refusals: an unknown procedure, a wrong method, a body that is not JSON or too large. */
const CODES: Readonly<Partial<Record<TRPCError["code"], ErrorCode>>> = {
  BAD_REQUEST: "invalid_request",
  PARSE_ERROR: "invalid_request",
  NOT_FOUND: "not_found",
  METHOD_NOT_SUPPORTED: "method_not_allowed",
  PAYLOAD_TOO_LARGE: "payload_too_large",
  UNSUPPORTED_MEDIA_TYPE: "unsupported_media_type",
};

/** The messages of tRPC's own errors quote the request, and the messages of faults may quote anything: neither is passed on. */
export function errorShape(error: TRPCError, requestId: string) {
  const expected = expectedError(error.cause);
  const code = expected?.code ?? CODES[error.code] ?? "internal";
  const fields = fieldsAtFault(error.cause);
  const httpStatus = ERRORS[code].status;
  const data: AdminErrorData = { code, httpStatus, requestId, ...(fields && { fields }) };
  return {
    code: TRPC_ERROR_CODES_BY_KEY[TRPC_CODES[httpStatus]],
    message: expected?.message ?? messageOf(code, { fields, requestId }),
    data,
  };
}

function fieldsAtFault(cause: unknown): FieldMessages | undefined {
  if (cause instanceof z.ZodError) return fieldsOf(cause);
  return cause instanceof ApiError && cause.field !== undefined
    ? { [cause.field]: [cause.problem] }
    : undefined;
}

/**
 * By the path of the field, as `identities.0.headers.Authorization`; under `input` what is wrong with the input as a whole. Names
 * of unknown fields are the client's own text: not repeated.
 */
function fieldsOf({ issues }: z.ZodError): FieldMessages {
  const fields: Record<string, string[]> = {};
  for (const issue of issues) {
    const message = issue.code === "unrecognized_keys" ? "has an unknown field" : issue.message;
    (fields[fieldPath(issue.path) || "input"] ??= []).push(message);
  }
  return fields;
}

function messageOf(
  code: ErrorCode,
  { fields = {}, requestId }: { readonly fields: FieldMessages | undefined; readonly requestId: string },
): string {
  if (code === "internal") return `The service failed; the request id is ${requestId}.`;
  const [first] = Object.entries(fields);
  return first ? `${first[0]}: ${first[1][0]}` : ERRORS[code].meaning;
}
