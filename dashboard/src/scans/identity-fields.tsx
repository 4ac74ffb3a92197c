import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fieldProblem, type FieldError } from "../calls/field-problem.ts";
import { FormFields, SelectField, TextArea, TextField } from "../parts/form.tsx";
import { Empty, Loaded } from "../parts/states.tsx";
import { PlansWith } from "../plans/plans-with.tsx";
import {
  chosenSource,
  setsOfTarget,
  type IdentitySet,
  type IdentitySource,
  type NewScanValues,
} from "./new-scan-values.ts";
import { trpc } from "../trpc.ts";

export interface IdentityFieldsProps {
  readonly values: NewScanValues;
  readonly sets: readonly IdentitySet[];
  /** Of the start of the scan. */
  readonly startError: FieldError | null;
  /** Of saving the set. */
  readonly saveError: FieldError | null;
  readonly set: (change: Partial<NewScanValues>) => void;
}

/** Whom the scan signs in as, or why it can sign in as nobody. */
export function IdentityFields(props: IdentityFieldsProps): ReactNode {
  const account = useQuery(trpc.account.get.queryOptions({}));
  return (
    <Loaded query={account}>
      {({ features, storesIdentities }) => {
        if (!features.includes("authenticatedScanning"))
          return (
            <Empty title="The plan does not include authenticated scanning">
              <PlansWith feature="authenticatedScanning" />
            </Empty>
          );
        if (!storesIdentities)
          return (
            <Empty title="Authenticated scanning is turned off on this installation">
              It has no key to encrypt identities: GLOVEBOX_IDENTITY_KEY_FILE is not set.
            </Empty>
          );
        return <Fields {...props} />;
      }}
    </Loaded>
  );
}

const EXAMPLE = `- name: alice
  headers: {Authorization: "Bearer eyJ…"}
- name: bob
  login:
    operation: POST /session
    body: {email: bob@example.com, password: …}`;

function Fields({ values, sets, startError, saveError, set }: IdentityFieldsProps): ReactNode {
  const source = chosenSource(values, sets);
  const saved = setsOfTarget(sets, values.url).map(({ name }) => [`set:${name}`, `Saved set: ${name}`]);
  const options = { pasted: "Paste identities", ...Object.fromEntries(saved) } as Record<
    Exclude<IdentitySource, "">,
    string
  >;
  return (
    <FormFields>
      <SelectField<Exclude<IdentitySource, "">>
        label="Sign in as"
        value={source}
        none="Nobody"
        options={options}
        onChange={(identitySource = "" as never) => set({ identitySource })}
        help="Most weaknesses are behind the sign-in. Use accounts that exist for testing."
        problem={fieldProblem(startError, "identitySet")}
      />
      {source === "pasted" && (
        <>
          <TextArea
            label="Identities"
            required
            rows={8}
            placeholder={EXAMPLE}
            value={values.identities}
            onChange={({ target }) => set({ identities: target.value })}
            autoComplete="off"
            spellCheck={false}
            help="YAML or JSON, up to four, with expectations if it is a whole file. They are stored encrypted until the scan ends."
            problem={fieldProblem(saveError, "identities") ?? fieldProblem(startError, "identities")}
          />
          <TextField
            label="Save as set"
            maxLength={100}
            value={values.saveAs}
            onChange={({ target }) => set({ saveAs: target.value })}
            autoComplete="off"
            help="Optional. A saved set can be used again for this target; it is stored encrypted."
            problem={fieldProblem(saveError, "name")}
          />
        </>
      )}
    </FormFields>
  );
}
