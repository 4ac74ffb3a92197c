import type { Scan } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { notify } from "../parts/toasts.tsx";
import { NewScanLink } from "./new-scan-link.tsx";
import { usePermission } from "../session/use-session.ts";
import { afterChange, trpc } from "../trpc.ts";

/**
 * What may be done with a scan: cancel it while it runs, start it again or delete it afterwards. One with identities cannot be
 * started again, because they were deleted when it ended.
 */
export function ScanActions({
  scan: { id, status },
  hasIdentities,
}: {
  scan: Pick<Scan, "id" | "status">;
  hasIdentities: boolean;
}): ReactNode {
  const mayWrite = usePermission("scans:write");
  if (!mayWrite) return null;
  if (status === "processing") return <CancelScan id={id} />;
  return (
    <>
      {hasIdentities ? <NewScanLink /> : <RetryScan id={id} />}
      <DeleteScan id={id} />
    </>
  );
}

function CancelScan({ id }: { id: string }): ReactNode {
  const [isAsked, setAsked] = useState(false);
  const close = (): void => setAsked(false);
  const cancel = useMutation(
    trpc.scans.cancel.mutationOptions({ onSuccess: afterChange("The scan was cancelled.", close) }),
  );
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        Cancel the scan
      </Button>
      <Confirm
        title="Cancel this scan?"
        description="Its results so far are discarded. It still counts toward the plan."
        action="Cancel the scan"
        isOpen={isAsked}
        isPending={cancel.isPending}
        onClose={close}
        onConfirm={() => cancel.mutate({ id })}
      />
    </>
  );
}

function RetryScan({ id }: { id: string }): ReactNode {
  const navigate = useNavigate();
  const retry = useMutation(
    trpc.scans.retry.mutationOptions({
      async onSuccess(started) {
        await navigate({ to: "/scans/$scanId", params: { scanId: started.id } });
        notify("Another scan with the same request was started.");
      },
    }),
  );
  return (
    <Button disabled={retry.isPending} onClick={() => retry.mutate({ id })}>
      Scan again
    </Button>
  );
}

function DeleteScan({ id }: { id: string }): ReactNode {
  const navigate = useNavigate();
  const [isAsked, setAsked] = useState(false);
  const deletion = useMutation(
    trpc.scans.delete.mutationOptions({
      onSuccess: afterChange("The scan was deleted.", () => navigate({ to: "/scans" })),
    }),
  );
  return (
    <>
      <Button look="danger" onClick={() => setAsked(true)}>
        Delete
      </Button>
      <Confirm
        title="Delete this scan?"
        description="The scan and its report are deleted. This cannot be undone."
        action="Delete the scan"
        isOpen={isAsked}
        isPending={deletion.isPending}
        onClose={() => setAsked(false)}
        onConfirm={() => deletion.mutate({ id })}
      />
    </>
  );
}
