import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Confirm } from "../parts/dialog.tsx";
import { RowMenu } from "../parts/menu.tsx";
import { afterChange, refreshAll, trpc } from "../trpc.ts";

export function KeyActions({
  id,
  name,
  onRotated,
}: {
  readonly id: string;
  readonly name: string;
  readonly onRotated: (key: string) => void;
}): ReactNode {
  const [asked, setAsked] = useState<"revoke" | "rotate">();
  const close = (): void => setAsked(undefined);
  const rotate = useRotateKey(onRotated, close);
  const revoke = useMutation(
    trpc.keys.revoke.mutationOptions({ onSuccess: afterChange(`${name} was revoked.`, close) }),
  );
  const shared = { onClose: close, isPending: rotate.isPending || revoke.isPending };
  return (
    <>
      <RowMenu
        name={name}
        items={[
          { label: "Rotate", onSelect: () => setAsked("rotate") },
          { label: "Revoke", onSelect: () => setAsked("revoke") },
        ]}
      />
      <Confirm
        {...shared}
        title={`Rotate ${name}?`}
        description="A new key replaces it. This one stays valid for 24 hours, until every program has the new one."
        action="Rotate"
        isOpen={asked === "rotate"}
        onConfirm={() => rotate.mutate({ keyId: id })}
      />
      <Confirm
        {...shared}
        title={`Revoke ${name}?`}
        description="Programs that use it are refused from now on. This cannot be undone."
        action="Revoke"
        isOpen={asked === "revoke"}
        onConfirm={() => revoke.mutate({ keyId: id })}
      />
    </>
  );
}

const useRotateKey = (onRotated: (key: string) => void, close: () => void) =>
  useMutation(
    trpc.keys.rotate.mutationOptions({
      async onSuccess({ key }) {
        close();
        onRotated(key);
        await refreshAll();
      },
    }),
  );
