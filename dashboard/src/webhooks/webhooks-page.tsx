import type { Webhook } from "@glovebox/contract";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Badge } from "../parts/badges.tsx";
import { Button } from "../parts/button.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { SecretDialog } from "../parts/secret-dialog.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { Table, type Column } from "../parts/table.tsx";
import { formatTime } from "../parts/time.ts";
import { PlansWith } from "../plans/plans-with.tsx";
import { usePermission } from "../session/use-session.ts";
import { trpc } from "../trpc.ts";
import { CreateWebhookDialog } from "./webhook-form.tsx";
import { DeliveriesDialog } from "./deliveries.tsx";
import { EVENT_LABELS } from "./event-labels.ts";
import { WebhookActions } from "./webhook-actions.tsx";

/** The webhooks of the account, or why there can be none. */
export function WebhooksPage(): ReactNode {
  const account = useQuery(trpc.account.get.queryOptions({}));
  const mayWrite = usePermission("webhooks:write");
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const isOn = account.data?.sendsWebhooks && account.data.features.includes("webhooks");
  return (
    <Page
      title="Webhooks"
      lead="When a scan ends, its outcome is sent to your programs, signed as Standard Webhooks are."
      actions={
        isOn &&
        mayWrite && (
          <Button look="primary" onClick={() => setCreating(true)}>
            Create a webhook
          </Button>
        )
      }
    >
      <Panel title="All webhooks" flush>
        <Loaded query={account}>
          {({ sendsWebhooks, features }) => {
            if (!sendsWebhooks) return <Empty title="Webhooks are turned off on this installation" />;
            if (!features.includes("webhooks"))
              return (
                <Empty title="The plan does not include webhooks">
                  <PlansWith feature="webhooks" />
                </Empty>
              );
            return <WebhookList onSecret={mayWrite ? setSecret : undefined} />;
          }}
        </Loaded>
      </Panel>
      {isCreating && <CreateWebhookDialog onCreated={setSecret} onClose={() => setCreating(false)} />}
      {secret && (
        <SecretDialog
          title="Webhook secret"
          what="Signing secret"
          secret={secret}
          onClose={() => setSecret(undefined)}
        />
      )}
    </Page>
  );
}

/** Gets a new secret; undefined where webhooks may only be read. */
type OnSecret = ((secret: string) => void) | undefined;

function WebhookList({ onSecret }: { onSecret: OnSecret }): ReactNode {
  const query = useQuery(trpc.webhooks.list.queryOptions({}));
  const [shown, setShown] = useState<Webhook>();
  return (
    <>
      <Loaded query={query}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title="No webhooks yet">
              A webhook tells your programs of each scan that ended, failed, or found more than the one
              before.
            </Empty>
          ) : (
            <Table
              caption="Webhooks"
              columns={columnsOf(setShown, onSecret)}
              rows={webhooks}
              keyOf={({ id }) => id}
            />
          )
        }
      </Loaded>
      {shown && (
        <DeliveriesDialog
          webhook={shown}
          maySend={onSecret !== undefined && shown.disabledAt === null}
          onClose={() => setShown(undefined)}
        />
      )}
    </>
  );
}

const columnsOf = (onShow: (webhook: Webhook) => void, onSecret: OnSecret): Column<Webhook>[] => [
  {
    label: "URL",
    cell: ({ url, description }) => (
      <div>
        <strong>{url}</strong>
        {description && <div>{description}</div>}
      </div>
    ),
  },
  { label: "Events", cell: ({ events }) => events.map((event) => EVENT_LABELS[event]).join(", ") },
  { label: "Status", cell: (webhook) => <WebhookStatus webhook={webhook} /> },
  {
    label: "Deliveries",
    cell: (webhook) => (
      <Button size="small" onClick={() => onShow(webhook)}>
        Show<span className="visually-hidden"> the deliveries to {webhook.url}</span>
      </Button>
    ),
  },
  ...(onSecret ? [actionsColumn(onSecret)] : []),
];

const actionsColumn = (onSecret: (secret: string) => void): Column<Webhook> => ({
  label: "",
  cell: (webhook) => <WebhookActions webhook={webhook} onSecret={onSecret} />,
});

function WebhookStatus({
  webhook: { disabledAt, disabledReason, failingSince, previousSecretUntil },
}: {
  webhook: Webhook;
}): ReactNode {
  if (disabledAt)
    return (
      <div>
        <Badge tone="neutral">Disabled</Badge> {disabledReason}
      </div>
    );
  return (
    <div>
      {failingSince ? (
        <Badge tone="high">Failing since {formatTime(failingSince)}</Badge>
      ) : (
        <Badge tone="good">Enabled</Badge>
      )}
      {previousSecretUntil && <div>The old secret signs too until {formatTime(previousSecretUntil)}.</div>}
    </div>
  );
}
