export type Labels = Readonly<Record<string, string>>;

/** A label selector as Kubernetes has it (meta/v1, LabelSelector). */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
}

/** An empty selector selects everything. An operator that is not known counts as a match: better one refusal too many. */
export function selects(selector: LabelSelector, labels: Labels): boolean {
  const isEqual = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return isEqual && (selector.matchExpressions ?? []).every((expression) => holds(expression, labels));
}

function holds(
  { key, operator, values = [] }: NonNullable<LabelSelector["matchExpressions"]>[number],
  labels: Labels,
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return true;
  }
}
