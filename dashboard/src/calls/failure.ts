import { TRPCClientError, type TRPCClientErrorLike } from "@trpc/client";
import type { AdminRouter } from "@glovebox/api/admin";

export type Failure = TRPCClientErrorLike<AdminRouter>;

/** Why something is not shown, in words for users. */
export interface Problem {
  readonly title: string;
  readonly text: string;
  /** Trying again may help. */
  readonly mayPass: boolean;
}

/** The message for a call that got no response from the service: `data` is missing. */
export function failureInWords<Router extends AdminRouter>(
  error: TRPCClientError<Router>,
): TRPCClientError<Router> {
  if (error.data || error.cause?.name === "AbortError") return error;
  // JSON that cannot be parsed is the response of a proxy in front of the service.
  const message =
    error.cause?.name === "SyntaxError"
      ? "The server sent an unexpected response. Try again in a moment."
      : "Glovebox cannot be reached. Check your connection, and try again.";
  return new TRPCClientError(message, { cause: error });
}

/** What a page says instead of what it could not load. Pure. */
export function problemOf({ message, data }: Pick<Failure, "message" | "data">): Problem {
  const fields = Object.keys(data?.fields ?? {});
  const isUnknown = data?.code === "not_found" || fields.includes("id") || fields.includes("ids");
  if (isUnknown)
    return {
      title: "Not found",
      text: "It does not exist in this account. It may have been deleted, or the link may be incomplete.",
      mayPass: false,
    };
  if (data?.code === "forbidden")
    return {
      title: "You do not have permission to see this",
      text: `${message} An owner of the account can change your role.`,
      mayPass: false,
    };
  if (!data) return { title: "No response from Glovebox", text: message, mayPass: true };
  return { title: "This could not be loaded", text: message, mayPass: true };
}
