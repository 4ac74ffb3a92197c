import type { ScheduleItem } from "@glovebox/contract/schedules";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fieldProblem, type FieldError } from "../calls/field-problem.ts";
import { Badge } from "../parts/badges.tsx";
import { SelectField } from "../parts/form.tsx";
import { setsOfTarget } from "../scans/new-scan-values.ts";
import { trpc } from "../trpc.ts";
import type { ScheduleValues } from "./schedule-values.ts";

interface ScheduleIdentityProps {
  readonly values: ScheduleValues;
  readonly error: FieldError | null;
  readonly set: (change: Partial<ScheduleValues>) => void;
}

/** The saved set that the scans of a schedule sign in with. One that was deleted stays chosen until another choice is made. */
export function ScheduleIdentity({ values, error, set }: ScheduleIdentityProps): ReactNode {
  const { data: sets = [] } = useQuery(trpc.identitySets.list.queryOptions({}));
  const { identitySet, url } = values;
  const names = new Set([...setsOfTarget(sets, url).map(({ name }) => name), identitySet]);
  names.delete("");
  return (
    <SelectField
      label="Sign in as"
      value={identitySet}
      none="Nobody"
      options={Object.fromEntries([...names].map((name) => [name, `Saved set: ${name}`]))}
      onChange={(name = "") => set({ identitySet: name })}
      help="A schedule holds no credentials. Save identities of the target as a set on the New scan page."
      problem={fieldProblem(error, "identitySet")}
    />
  );
}

/** As whom the scans sign in, and why they cannot. */
export const SignsInAs = ({ schedule: { identitySet, problem } }: { schedule: ScheduleItem }): ReactNode =>
  identitySet !== null && (
    <div>
      Signs in with {identitySet}
      {problem !== null && (
        <>
          {" "}
          <Badge tone="critical">Runs will fail</Badge> {problem}
        </>
      )}
    </div>
  );
