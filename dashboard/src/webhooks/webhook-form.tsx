import type { WebhookEvent } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Checkbox, Form, FormActions, TextField } from "../parts/form.tsx";
import { keysOf } from "../parts/words.ts";
import { refreshAll, trpc } from "../trpc.ts";
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
  const [url, setUrl] = useState("");
  const [description, setDescription] = useState("");
  const [events, setEvents] = useState<readonly WebhookEvent[]>(ALL);
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      async onSuccess({ secret }) {
        onClose();
        onCreated(secret);
        await refreshAll();
      },
    }),
  );
  const toggle = (event: WebhookEvent): void =>
    setEvents(ALL.filter((each) => (each === event) !== events.includes(each)));
  return (
    <Dialog title="Create a webhook" isOpen onClose={onClose}>
      <Form onSubmit={() => create.mutate({ url, events: [...events], ...(description && { description }) })}>
        <TextField
          label="URL"
          type="url"
          required
          placeholder="https://"
          value={url}
          onChange={({ target }) => setUrl(target.value)}
          problem={create.error?.message}
        />
        <TextField
          label="Description"
          maxLength={200}
          value={description}
          onChange={({ target }) => setDescription(target.value)}
        />
        {ALL.map((event) => (
          <Checkbox
            key={event}
            label={EVENT_LABELS[event]}
            checked={events.includes(event)}
            onChange={() => toggle(event)}
          />
        ))}
        <FormActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" disabled={create.isPending || events.length === 0}>
            Create
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
