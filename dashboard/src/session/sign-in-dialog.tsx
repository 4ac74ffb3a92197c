import { useCallback, useEffect, useRef, useState, type ReactNode } from "react";
import { createPortal } from "react-dom";
import { Button } from "../parts/button.tsx";
import { Form, FormActions, TextField } from "../parts/form.tsx";
import { Notice } from "../parts/states.tsx";
import styles from "./session.module.css";
import { resume, useIsSignedOut } from "../calls/signed-out.ts";
import { useSession } from "./use-session.ts";

/** Above the page when the session has ended: the page and what was typed in it stay as they are. */
export const SignInDialog = (): ReactNode => (useIsSignedOut() ? <SignInAgain /> : null);

function SignInAgain(): ReactNode {
  const user = useSession();
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const dialog = useModal();
  const proceed = useResumption(user?.id);
  const submit = async (): Promise<void> => {
    setPending(true);
    setProblem(await signIn(user?.email ?? "", password, proceed));
    setPending(false);
  };
  // In the body: an open dialog of the page makes the rest of the page inert.
  return createPortal(
    <dialog ref={dialog} className={styles["signIn"]} aria-labelledby="sign-in-again">
      <h2 id="sign-in-again">Your session has ended</h2>
      <p>Sign in to continue. What you have entered on this page is kept.</p>
      {problem && <Notice tone="error">{problem}</Notice>}
      <Form onSubmit={() => void submit()}>
        <TextField
          label="E-mail address"
          type="email"
          value={user?.email ?? ""}
          readOnly
          autoComplete="username"
        />
        <TextField
          label="Password"
          type="password"
          required
          autoComplete="current-password"
          value={password}
          onChange={({ target }) => setPassword(target.value)}
        />
        <FormActions>
          <a href="/sign-in" target="_blank">
            Sign in another way, in a new tab
          </a>
          <Button type="submit" look="primary" disabled={isPending}>
            Sign in
          </Button>
        </FormActions>
      </Form>
    </dialog>,
    document.body,
  );
}

/** Continues if somebody is signed in by now, and does so when the user comes back from another tab; returns whether it did. */
function useResumption(userId: string | undefined): () => Promise<boolean> {
  const proceed = useCallback(async (): Promise<boolean> => {
    const signedIn = await signedInUser();
    if (signedIn === undefined) return false;
    // Another user sees another page; what this one has loaded is not theirs.
    if (userId !== undefined && userId !== signedIn) globalThis.location.reload();
    else resume();
    return true;
  }, [userId]);
  useEffect(() => {
    const look = (): void => void proceed().catch(() => undefined);
    addEventListener("focus", look);
    return () => removeEventListener("focus", look);
  }, [proceed]);
  return proceed;
}

/** In the top layer, above other dialogs. It cannot be dismissed: there is nothing to see without a session. */
function useModal(): (dialog: HTMLDialogElement | null) => void {
  const shown = useRef<HTMLDialogElement>(null);
  return useCallback((dialog) => {
    if (!dialog || shown.current === dialog) return;
    shown.current = dialog;
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    // A browser closes it at a second Escape, even if the page prevents the first.
    dialog.addEventListener("close", () => dialog.isConnected && dialog.showModal());
    dialog.showModal();
  }, []);
}

/** Signs in with the form of the sign-in page; returns what was wrong. */
async function signIn(
  email: string,
  password: string,
  proceed: () => Promise<boolean>,
): Promise<string | undefined> {
  try {
    const body = new URLSearchParams({ email, password, next: "/" });
    const { status } = await fetch("/sign-in", { method: "POST", body, redirect: "manual" });
    if (await proceed()) return undefined;
    if (status === 401) return "The password is wrong.";
    if (status === 429) return "Too many attempts. Wait a minute, and try again.";
    return "This needs another step. Sign in in a new tab, and come back to this one.";
  } catch {
    return "Glovebox cannot be reached. Check your connection, and try again.";
  }
}

/** The id of the user that the browser is signed in as; undefined: of none. */
async function signedInUser(): Promise<string | undefined> {
  const response = await fetch("/admin/trpc/session.me?input=%7B%7D");
  if (!response.ok) return undefined;
  const { result } = (await response.json()) as { result: { data: { id: string } } };
  return result.data.id;
}
