import { QueryClient } from "@tanstack/react-query";
import {
  createTRPCClient,
  httpBatchLink,
  httpSubscriptionLink,
  splitLink,
  type TRPCClientErrorLike,
} from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AdminRouter } from "@glovebox/api/admin";
import { notify, notifyFailure } from "./parts/toasts.tsx";

const PATH = "/admin/trpc";
const MAX_BATCH = 10; // as the server
const FRESH_MS = 10_000;

export type Inputs = inferRouterInputs<AdminRouter>;
export type Outputs = inferRouterOutputs<AdminRouter>;
type Failure = TRPCClientErrorLike<AdminRouter>;

const isSignedOut = (error: unknown): boolean => (error as Failure).data?.code === "unauthorized";

/** A session that has ended: the sign-in page leads back to this page. */
function signInAgain(): void {
  const { pathname, search } = globalThis.location;
  globalThis.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
}

const onError = (error: unknown): void => {
  if (isSignedOut(error)) signInAgain();
};

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < 2 && (error as unknown as Failure).data === undefined, // network only
      throwOnError: false,
    },
    mutations: { onError: (error) => notifyFailure(error) },
  },
});
queryClient.getQueryCache().config.onError = onError;
queryClient.getMutationCache().config.onError = onError;

const client = createTRPCClient<AdminRouter>({
  links: [
    splitLink({
      condition: ({ type }) => type === "subscription",
      true: httpSubscriptionLink({ url: PATH }),
      false: httpBatchLink({ url: PATH, maxItems: MAX_BATCH }),
    }),
  ],
});

/** Options of queries and mutations for each procedure of the administration interface. */
export const trpc: TRPCOptionsProxy<AdminRouter> = createTRPCOptionsProxy<AdminRouter>({
  client,
  queryClient,
});

/** Loads anew whatever a change may have changed. */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries();

/** What follows a change: `first`, such as closing its dialog, then loading everything anew, then the message. */
export const afterChange =
  <Result, Input>(
    message: string | ((result: Result, input: Input) => string),
    first?: () => void | Promise<void>,
  ) =>
  async (result: Result, input: Input): Promise<void> => {
    await first?.();
    await refreshAll();
    notify(typeof message === "string" ? message : message(result, input));
  };
