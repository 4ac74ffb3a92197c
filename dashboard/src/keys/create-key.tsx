import type { Scope } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Code } from "../parts/code.tsx";
import { FormDialog } from "../parts/dialog.tsx";
import { SelectField, TextField } from "../parts/form.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { endOfDay } from "../parts/time.ts";
import { refreshAll, trpc } from "../trpc.ts";

/** What keys may do, from the most to the least. */
const PRESETS: Record<"all" | "read", { readonly name: string; readonly scopes: Scope[] }> = {
  all: { name: "Read and start scans", scopes: [] },
  read: { name: "Read scans", scopes: ["scans:read"] },
};

export function CreateKeyDialog({
  onCreated,
  onClose,
}: {
  onCreated: (key: string) => void;
  onClose: () => void;
}): ReactNode {
  const [name, setName] = useState("");
  const [preset, setPreset] = useState<keyof typeof PRESETS>("all");
  const [until, setUntil] = useState("");
  const create = useCreateKey(onCreated, onClose);
  const submit = (): void =>
    create.mutate({ name, scopes: PRESETS[preset].scopes, ...(until && { expiresAt: endOfDay(until) }) });
  return (
    <FormDialog
      title="Create an API key"
      action="Create"
      isDisabled={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label="Name"
        required
        maxLength={100}
        value={name}
        onChange={({ target }) => setName(target.value)}
        help="For example, the program that uses it."
        problem={create.error?.message}
      />
      <SelectField
        label="Permissions"
        value={preset}
        options={{ all: PRESETS.all.name, read: PRESETS.read.name }}
        onChange={(value) => value && setPreset(value)}
      />
      <TextField
        label="Valid until"
        type="date"
        value={until}
        onChange={({ target }) => setUntil(target.value)}
        help="Leave empty for a key that does not expire."
      />
    </FormDialog>
  );
}

const useCreateKey = (onCreated: (key: string) => void, onClose: () => void) =>
  useMutation(
    trpc.keys.create.mutationOptions({
      async onSuccess({ key }) {
        onClose();
        onCreated(key);
        await refreshAll();
      },
    }),
  );

/** A new key, and a command to try it. */
export function NewKeyDialog({ secret, onClose }: { secret: string; onClose: () => void }): ReactNode {
  const curl = `curl ${globalThis.location.origin}/v1/scans -H "Authorization: Bearer ${secret}"`;
  return (
    <SecretDialog title="Your new key" what="API key" secret={secret} onClose={onClose}>
      <Code title="Try it" what="curl command" text={curl} />
    </SecretDialog>
  );
}
