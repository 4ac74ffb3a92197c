import type { AdminRouter } from "@glovebox/api/admin";
import type { TRPCLink } from "@trpc/client";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import { signedInAgain } from "./signed-out.ts";
import { failureInWords } from "./failure.ts";

/**
 * A call that is refused because the session has ended waits until the user has signed in again, and is then repeated: a refused
 * call has changed nothing. Nothing that was typed is lost meanwhile.
 */
export const repeatAfterSignIn: TRPCLink<AdminRouter> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      let call: Unsubscribable;
      let isOver = false;
      const start = (): void => {
        call = next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            if (error.data?.code !== "unauthorized") return observer.error(failureInWords(error));
            void startAgain();
          },
        });
      };
      const startAgain = async (): Promise<void> => {
        await signedInAgain();
        if (!isOver) start();
      };
      start();
      return () => {
        isOver = true;
        call.unsubscribe();
      };
    });
