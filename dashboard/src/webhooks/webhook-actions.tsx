import type { Webhook } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Confirm } from "../parts/dialog.tsx";
import { RowMenu } from "../parts/menu.tsx";
import { afterChange, refreshAll, trpc } from "../trpc.ts";
import { EditWebhookDialog } from "./webhook-form.tsx";

/** What may be done with a webhook. */
export function WebhookActions({
  webhook,
  onSecret,
}: {
  readonly webhook: Webhook;
  readonly onSecret: (secret: string) => void;
}): ReactNode {
  const { id, url, disabledAt } = webhook;
  const [asked, setAsked] = useState<"edit" | "rotate" | "delete">();
  const close = (): void => setAsked(undefined);
  const { test, enable, rotate, remove } = useWebhookChanges(webhook, close, onSecret);
  const toggle = {
    label: disabledAt ? "Enable" : "Disable",
    onSelect: () => enable.mutate({ id, enabled: disabledAt !== null }),
  };
  const send = { label: "Send a test", onSelect: () => test.mutate({ id }) };
  const shared = { onClose: close, isPending: rotate.isPending || remove.isPending };
  return (
    <>
      <RowMenu
        name={url}
        items={[
          ...(disabledAt ? [] : [send]),
          { label: "Edit", onSelect: () => setAsked("edit") },
          toggle,
          { label: "Rotate the secret", onSelect: () => setAsked("rotate") },
          { label: "Delete", onSelect: () => setAsked("delete") },
        ]}
      />
      {asked === "edit" && <EditWebhookDialog webhook={webhook} onClose={close} />}
      <Confirm
        {...shared}
        title="Rotate the secret?"
        description={`Deliveries to ${url} are signed with both secrets for 24 hours.`}
        action="Rotate"
        isOpen={asked === "rotate"}
        onConfirm={() => rotate.mutate({ id })}
      />
      <Confirm
        {...shared}
        title="Delete the webhook?"
        description={`Nothing is sent to ${url} any more, and its deliveries are no longer listed.`}
        action="Delete"
        isOpen={asked === "delete"}
        onConfirm={() => remove.mutate({ id })}
      />
    </>
  );
}

function useWebhookChanges({ url }: Webhook, close: () => void, onSecret: (secret: string) => void) {
  return {
    test: useMutation(
      trpc.webhooks.test.mutationOptions({
        onSuccess: afterChange(`A test is on its way to ${url}.`, close),
      }),
    ),
    enable: useMutation(
      trpc.webhooks.update.mutationOptions({ onSuccess: afterChange(`${url} was changed.`, close) }),
    ),
    remove: useMutation(
      trpc.webhooks.remove.mutationOptions({ onSuccess: afterChange(`${url} was deleted.`, close) }),
    ),
    rotate: useMutation(
      trpc.webhooks.rotateSecret.mutationOptions({
        async onSuccess({ secret }) {
          close();
          onSecret(secret);
          await refreshAll();
        },
      }),
    ),
  };
}
