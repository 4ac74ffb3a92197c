import type { ScanContext } from "@glovebox/contract";
import { useMutation } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { Button } from "../parts/button.tsx";
import { Form, FormActions, SelectField, TextField } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { CONTEXT_LABELS } from "../parts/words.ts";
import { Permitted } from "../session/permitted.tsx";
import { refreshAll, trpc } from "../trpc.ts";

/** Starts a scan, and shows it; for those who may. */
export const NewScanPage = (): ReactNode => (
  <Permitted permission="scans:write" title="New scan">
    <NewScan />
  </Permitted>
);

function NewScan(): ReactNode {
  const navigate = useNavigate();
  const [url, setUrl] = useState("");
  const [specUrl, setSpecUrl] = useState("");
  const [context, setContext] = useState<ScanContext>();
  const start = useMutation(
    trpc.scans.start.mutationOptions({
      async onSuccess({ id }) {
        await refreshAll();
        await navigate({ to: "/scans/$scanId", params: { scanId: id } });
      },
    }),
  );
  const submit = (): void => start.mutate({ url, ...(specUrl && { specUrl }), ...(context && { context }) });
  return (
    <Page
      title="New scan"
      lead="Scan only APIs that you are authorized to test. Each accepted scan counts toward the plan."
      back={<Link to="/scans">All scans</Link>}
    >
      <Panel title="What to scan">
        <Form onSubmit={submit}>
          <TextField
            label="URL of the API"
            type="url"
            required
            placeholder="https://"
            value={url}
            onChange={({ target }) => setUrl(target.value)}
            autoComplete="off"
            help="HTTPS, with the base path of the API."
            problem={start.error?.message}
          />
          <TextField
            label="URL of its OpenAPI document"
            type="url"
            value={specUrl}
            onChange={({ target }) => setSpecUrl(target.value)}
            autoComplete="off"
            help="Without it, Glovebox discovers the operations."
          />
          <SelectField
            label="Kind of API"
            value={context ?? ""}
            none="Not specified"
            options={CONTEXT_LABELS}
            onChange={setContext}
            help="Sets the weights of the categories in the score."
          />
          <FormActions>
            <Button type="submit" look="primary" disabled={start.isPending}>
              Start the scan
            </Button>
          </FormActions>
        </Form>
      </Panel>
    </Page>
  );
}
