import { QueryClient } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpSubscriptionLink, splitLink } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { createTRPCOptionsProxy, type TRPCOptionsProxy } from "@trpc/tanstack-react-query";
import type { AdminRouter } from "@glovebox/api/admin";
import { ACCOUNT_ID } from "./account.ts";
import type { Failure } from "./calls/failure.ts";
import { repeatAfterSignIn } from "./calls/repeat-after-sign-in.ts";
import { notify, notifyFailure } from "./parts/toasts.tsx";

const URL = `/admin/trpc${ACCOUNT_ID === undefined ? "" : `?account=${ACCOUNT_ID}`}`;
const MAX_BATCH = 10; // as the server
const FRESH_MS = 10_000;

export type Inputs = inferRouterInputs<AdminRouter>;
export type Outputs = inferRouterOutputs<AdminRouter>;

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < 2 && (error as unknown as Failure).data === undefined, // network only
      throwOnError: false,
      networkMode: "always", // offline is an error that the page shows, not a wait without end
    },
    mutations: { networkMode: "always", onError: (error) => notifyFailure(error) },
  },
});

const client = createTRPCClient<AdminRouter>({
  links: [
    repeatAfterSignIn,
    splitLink({
      condition: ({ type }) => type === "subscription",
      true: httpSubscriptionLink({ url: URL }),
      false: httpBatchLink({ url: URL, maxItems: MAX_BATCH }),
    }),
  ],
});

/** Options of queries and mutations for each procedure of the administration interface. */
export const trpc: TRPCOptionsProxy<AdminRouter> = createTRPCOptionsProxy<AdminRouter>({
  client,
  queryClient,
});

/** Reloads all data, since a change may affect any of it. */
export const refreshAll = (): Promise<void> => queryClient.invalidateQueries();

/** What follows a change: `first`, such as closing its dialog, then reloading all data, then the message. */
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
