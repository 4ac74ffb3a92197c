import type { Webhook, WebhookEvent } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { FormDialog, type FormDialogProps } from "../parts/dialog.tsx";
import { Checkbox, TextField } from "../parts/form.tsx";
import { keysOf } from "../parts/words.ts";
import { afterChange, refreshAll, trpc } from "../trpc.ts";
import { EVENT_LABELS } from "./event-labels.ts";

const ALL = keysOf(EVENT_LABELS);

export function CreateWebhookDialog({
  onCreated,
  onClose,
}: {
  /** Gets the secret. */
  onCreated: (secret: string) => void;
  onClose: () => void;
}): ReactNode {
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      async onSuccess({ secret }) {
        onClose();
        onCreated(secret);
        await refreshAll();
      },
    }),
  );
  return (
    <WebhookDialog
      title="Create a webhook"
      action="Create"
      initial={{ url: "", description: "", events: ALL }}
      isPending={create.isPending}
      problem={create.error?.message}
      onSubmit={({ description, ...values }) =>
        create.mutate({ ...values, ...(description && { description }) })
      }
      onClose={onClose}
    />
  );
}

export function EditWebhookDialog({
  webhook: { id, url, description, events },
  onClose,
}: {
  webhook: Webhook;
  onClose: () => void;
}): ReactNode {
  const update = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSuccess: afterChange((changed) => `${changed.url} was changed.`, onClose),
    }),
  );
  return (
    <WebhookDialog
      title="Edit the webhook"
      action="Save"
      initial={{ url, description: description ?? "", events: [...events] }}
      isPending={update.isPending}
      problem={update.error?.message}
      onSubmit={(values) => update.mutate({ id, ...values })}
      onClose={onClose}
    />
  );
}

interface Values {
  url: string;
  description: string;
  events: WebhookEvent[];
}

interface WebhookDialogProps extends Pick<FormDialogProps, "title" | "action" | "onClose"> {
  readonly initial: Values;
  readonly isPending: boolean;
  readonly problem: string | undefined;
  readonly onSubmit: (values: Values) => void;
}

function WebhookDialog({ initial, isPending, problem, onSubmit, ...dialog }: WebhookDialogProps): ReactNode {
  const [{ url, description, events }, setValues] = useState(initial);
  const change = (changed: Partial<Values>): void => setValues((values) => ({ ...values, ...changed }));
  const toggle = (event: WebhookEvent): void =>
    change({ events: ALL.filter((each) => (each === event) !== events.includes(each)) });
  return (
    <FormDialog
      {...dialog}
      isDisabled={isPending || events.length === 0}
      onSubmit={() => onSubmit({ url, description, events })}
    >
      <TextField
        label="URL"
        type="url"
        required
        placeholder="https://"
        value={url}
        onChange={({ target }) => change({ url: target.value })}
        problem={problem}
      />
      <TextField
        label="Description"
        maxLength={200}
        value={description}
        onChange={({ target }) => change({ description: target.value })}
      />
      {ALL.map((event) => (
        <Checkbox
          key={event}
          label={EVENT_LABELS[event]}
          checked={events.includes(event)}
          onChange={() => toggle(event)}
        />
      ))}
    </FormDialog>
  );
}
