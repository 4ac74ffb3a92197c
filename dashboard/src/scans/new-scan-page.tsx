import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { fieldProblem, type FieldError } from "../calls/field-problem.ts";
import { Button } from "../parts/button.tsx";
import { Form, FormActions, FormFields, SelectField, TextField } from "../parts/form.tsx";
import { Page, Panel } from "../parts/page.tsx";
import { CONTEXT_LABELS } from "../parts/words.ts";
import { Permitted } from "../session/permitted.tsx";
import { refreshAll, trpc } from "../trpc.ts";
import { FilterFields } from "./filter-fields.tsx";
import { IdentityFields } from "./identity-fields.tsx";
import { ModeFields } from "./mode-fields.tsx";
import {
  EMPTY_SCAN,
  chosenSource,
  identitiesOf,
  isConfirmed,
  requestOf,
  type NewScanValues,
} from "./new-scan-values.ts";

/** Starts a scan, and shows it; for those who may. */
export const NewScanPage = (): ReactNode => (
  <Permitted permission="scans:write" title="New scan">
    <NewScan />
  </Permitted>
);

/** The calls contain secrets: nothing of them is kept once they have ended. */
const FORGOTTEN = { gcTime: 0 };

function NewScan(): ReactNode {
  const [values, setValues] = useState(EMPTY_SCAN);
  const sets = useQuery(trpc.identitySets.list.queryOptions({})).data ?? [];
  const save = useMutation(trpc.identitySets.save.mutationOptions(FORGOTTEN));
  const start = useStart();
  const source = chosenSource(values, sets);
  const submit = (): void => {
    save.reset();
    start.reset();
    const startWith = (sent: ReturnType<typeof identitiesOf>): void => start.mutate(requestOf(values, sent));
    const { url, identities, saveAs: name } = values;
    if (source !== "pasted" || name === "") return startWith(identitiesOf(values, source));
    save.mutate({ url, identities, name }, { onSuccess: (set) => startWith({ identitySet: set.name }) });
  };
  const set = (change: Partial<NewScanValues>): void => setValues((before) => ({ ...before, ...change }));
  const error = start.error ?? save.error;
  return (
    <Page
      title="New scan"
      lead="Scan only APIs that you are authorized to test. Each accepted scan counts toward the plan."
      back={<Link to="/scans">All scans</Link>}
    >
      <Form onSubmit={submit}>
        <Panel title="What to scan">
          <TargetFields {...{ values, error, set }} />
          <ModeFields {...{ values, error, set }} />
        </Panel>
        <Panel title="Identities">
          <IdentityFields {...{ values, sets, set, startError: start.error, saveError: save.error }} />
        </Panel>
        <OperationsPanel {...{ values, error, set }} />
        <FormActions>
          <Button
            type="submit"
            look="primary"
            disabled={start.isPending || save.isPending || !isConfirmed(values)}
          >
            Start the scan
          </Button>
        </FormActions>
      </Form>
    </Page>
  );
}

/** Starts a scan, and shows its page. */
function useStart() {
  const navigate = useNavigate();
  return useMutation(
    trpc.scans.start.mutationOptions({
      ...FORGOTTEN,
      async onSuccess({ id }) {
        await refreshAll();
        await navigate({ to: "/scans/$scanId", params: { scanId: id } });
      },
    }),
  );
}

interface FieldsProps {
  readonly values: NewScanValues;
  readonly error: (FieldError & { readonly message: string }) | null;
  readonly set: (change: Partial<NewScanValues>) => void;
}

const OperationsPanel = (props: FieldsProps): ReactNode => (
  <Panel title="Operations">
    <FormFields>
      <FilterFields {...props} />
    </FormFields>
  </Panel>
);

const TargetFields = ({ values, error, set }: FieldsProps): ReactNode => (
  <FormFields>
    <TextField
      label="URL of the API"
      type="url"
      required
      placeholder="https://"
      value={values.url}
      onChange={({ target }) => set({ url: target.value })}
      autoComplete="off"
      help="HTTPS, with the base path of the API."
      // What concerns no field is shown at the first one.
      problem={fieldProblem(error, "url") ?? (error?.data?.fields ? undefined : error?.message)}
    />
    <TextField
      label="URL of its OpenAPI document"
      type="url"
      value={values.specUrl}
      onChange={({ target }) => set({ specUrl: target.value })}
      autoComplete="off"
      help="Without it, Glovebox discovers the operations."
      problem={fieldProblem(error, "specUrl")}
    />
    <SelectField
      label="Kind of API"
      value={values.context ?? ""}
      none="Not specified"
      options={CONTEXT_LABELS}
      onChange={(context) => set({ context })}
      help="Sets the weights of the categories in the score."
    />
  </FormFields>
);
