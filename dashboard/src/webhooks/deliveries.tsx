import type { DeliveryStatus, Webhook, WebhookDelivery } from "@glovebox/contract";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Badge, type Tone } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import { afterChange, trpc } from "../trpc.ts";
import { DELIVERED_LABELS } from "./event-labels.ts";

const REFRESH_MS = 5_000;
const STATUSES: Record<DeliveryStatus, readonly [label: string, tone: Tone]> = {
  pending: ["On its way", "running"],
  delivered: ["Delivered", "good"],
  failed: ["Failed", "critical"],
};

/** The newest deliveries of a webhook. */
export function DeliveriesDialog({
  webhook: { id, url },
  maySend,
  onClose,
}: {
  readonly webhook: Webhook;
  readonly maySend: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const query = useQuery(trpc.webhooks.deliveries.queryOptions({ id }, { refetchInterval: REFRESH_MS }));
  return (
    <Dialog title="Deliveries" description={`To ${url}, newest first.`} isOpen onClose={onClose}>
      <Loaded query={query}>
        {(deliveries) =>
          deliveries.length === 0 ? (
            <Empty title="No deliveries yet">Glovebox sends one when the next scan ends.</Empty>
          ) : (
            <Table
              caption="Deliveries"
              columns={maySend ? [...COLUMNS, sendColumn(id)] : COLUMNS}
              rows={deliveries}
              keyOf={(delivery) => delivery.id}
            />
          )
        }
      </Loaded>
    </Dialog>
  );
}

const COLUMNS: Column<WebhookDelivery>[] = [
  { label: "Event", cell: ({ event }) => DELIVERED_LABELS[event] },
  { label: "When", cell: ({ createdAt }) => formatTime(createdAt) },
  {
    label: "Status",
    cell: ({ status }) => <Badge tone={STATUSES[status][1]}>{STATUSES[status][0]}</Badge>,
  },
  { label: "Attempts", isNumber: true, cell: ({ attempts }) => attempts },
  { label: "Last response", cell: ({ lastStatus, lastError }) => lastError ?? lastStatus ?? "None yet" },
];

const sendColumn = (webhook: string): Column<WebhookDelivery> => ({
  label: "",
  cell: (delivery) => delivery.status !== "pending" && <SendAgain webhook={webhook} delivery={delivery} />,
});

function SendAgain({ webhook, delivery }: { webhook: string; delivery: WebhookDelivery }): ReactNode {
  const send = useMutation(
    trpc.webhooks.sendAgain.mutationOptions({ onSuccess: afterChange("The event is sent again.") }),
  );
  return (
    <Button
      size="small"
      disabled={send.isPending}
      onClick={() => send.mutate({ id: webhook, delivery: delivery.id })}
    >
      Send again
      <span className="visually-hidden">
        {" "}
        {DELIVERED_LABELS[delivery.event]} of {formatTime(delivery.createdAt)}
      </span>
    </Button>
  );
}
