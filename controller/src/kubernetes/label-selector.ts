/** The result is unknown. */
export const UNKNOWN: unique symbol = Symbol("unknown");

/** Three-valued logic, as SQL has it with NULL. */
export type Ternary = boolean | typeof UNKNOWN;

export const not = (one: Ternary): Ternary => (one === UNKNOWN ? UNKNOWN : !one);

/** False if one is false, else unknown if one is unknown. */
export function allOf(some: readonly Ternary[]): Ternary {
  if (some.includes(false)) return false;
  return some.includes(UNKNOWN) ? UNKNOWN : true;
}

/** True if one is true, else unknown if one is unknown. */
export const anyOf = (some: readonly Ternary[]): Ternary => not(allOf(some.map(not)));

/** Unknown counts as true, to be safe. */
export const mayBe = (one: Ternary): boolean => one !== false;

export type Labels = Readonly<Record<string, string>>;

/** The value of a label; undefined where it is absent, UNKNOWN if neither its presence nor its value is known. */
export type LabelValue = string | undefined | typeof UNKNOWN;

/** The labels of one object, such as a Map of them. */
export interface LabelView {
  get(key: string): LabelValue;
}

export const viewOf = (labels: Labels): ReadonlyMap<string, string> => new Map(Object.entries(labels));

/** The labels of both. If both have one with different values, it is UNKNOWN. */
export const joined = (one: LabelView, other: LabelView): LabelView => ({
  get(key): LabelValue {
    const [a, b]: LabelValue[] = [one.get(key), other.get(key)];
    return a === undefined || b === undefined || a === b ? (a ?? b) : UNKNOWN;
  },
});

/** A label selector as Kubernetes has it (meta/v1, LabelSelector). */
export interface LabelSelector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly Requirement[];
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/**
 * Whether the selector matches the labels. An empty one matches everything. An invalid requirement is unknown.
 */
export function selects(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  labels: LabelView,
): Ternary {
  return allOf([
    ...Object.entries(matchLabels).map(([key, value]) => isIn(labels.get(key), [value])),
    ...matchExpressions.map((requirement) => holds(requirement, labels)),
  ]);
}

function holds({ key, operator, values = [] }: Requirement, labels: LabelView): Ternary {
  const value = labels.get(key);
  const takesValues = operator === "In" || operator === "NotIn";
  if (value === UNKNOWN || takesValues !== values.length > 0) return UNKNOWN;
  switch (operator) {
    case "In":
      return isIn(value, values);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    default:
      return UNKNOWN;
  }
}

const isIn = (value: LabelValue, values: readonly string[]): Ternary =>
  value === UNKNOWN ? UNKNOWN : value !== undefined && values.includes(value);
