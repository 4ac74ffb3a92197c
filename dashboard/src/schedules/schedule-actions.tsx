import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Confirm } from "../parts/dialog.tsx";
import { RowMenu } from "../parts/menu.tsx";
import { afterChange, trpc } from "../trpc.ts";
import { ScheduleDialog } from "./schedule-form.tsx";
import type { ScheduleItem } from "@glovebox/contract/schedules";

/** What may be done with a schedule. */
export function ScheduleActions({ schedule }: { schedule: ScheduleItem }): ReactNode {
  const { id, name, suspend } = schedule;
  const [asked, setAsked] = useState<"edit" | "delete">();
  const close = (): void => setAsked(undefined);
  const switched = useMutation(
    trpc.schedules.update.mutationOptions({
      onSuccess: afterChange((changed) => `${name} was ${changed.suspend ? "suspended" : "resumed"}.`),
    }),
  );
  const remove = useMutation(
    trpc.schedules.remove.mutationOptions({ onSuccess: afterChange(`${name} was deleted.`, close) }),
  );
  return (
    <>
      <RowMenu
        name={name}
        items={[
          { label: "Edit", onSelect: () => setAsked("edit") },
          {
            label: suspend ? "Resume" : "Suspend",
            onSelect: () => switched.mutate({ id, suspend: !suspend }),
          },
          { label: "Delete", onSelect: () => setAsked("delete") },
        ]}
      />
      {asked === "edit" && <ScheduleDialog schedule={schedule} onClose={close} />}
      <Confirm
        title={`Delete ${name}?`}
        description="Nothing is started any more. Its scans stay."
        action="Delete"
        isOpen={asked === "delete"}
        isPending={remove.isPending}
        onClose={close}
        onConfirm={() => remove.mutate({ id })}
      />
    </>
  );
}
