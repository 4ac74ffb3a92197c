import { readFileSync } from "node:fs";
import { instancesOf, isInForce, type Mark, type Marks } from "@glovebox/domain";
import { type Finding, type Instance } from "@glovebox/contract";
import { textValues } from "@glovebox/settings";
import * as z from "zod";

const DAY_MS = 24 * 3600 * 1000;
const DATE = "must be a date such as 2027-01-31";

const suppressionSchema = z.strictObject({
  id: z.string("must be the id of a finding or of an instance").regex(/^[0-9a-f]{16}$/, {
    error: "must be the id of a finding or of an instance: 16 hexadecimal digits",
  }),
  reason: z.string("must say why").trim().min(1, "must say why"),
  expires: z.iso.date(DATE),
});
export type Suppression = z.infer<typeof suppressionSchema>;

const fileSchema = z.strictObject({ suppressions: z.array(suppressionSchema) });

/** The suppressions in a file, YAML or JSON. @throws Error that names the field */
export function readSuppressions(path: string): readonly Suppression[] {
  const file = fileSchema.safeParse(valueIn(path));
  if (file.success) return file.data.suppressions;
  const { path: field, message } = file.error.issues[0]!;
  throw new Error(`${path}: ${field.length > 0 ? `${field.join(".")}: ` : ""}${message}`);
}

function valueIn(path: string): unknown {
  const text = textIn(path);
  try {
    return textValues(text);
  } catch (cause) {
    throw new Error(`${path} is neither YAML nor JSON`, { cause });
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`${path} cannot be read`, { cause });
  }
}

/** What is known and therefore does not count for `--fail-on`. */
export interface Accepted {
  /** Why, by the ids of instances: a phrase for the reader. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The same for the formats of other tools. */
  readonly marks: Marks;
  /** What the reader must know of the suppressions: sentences. */
  readonly notes: readonly string[];
}

export interface Acceptance {
  /** Instances that an earlier report has. */
  readonly baseline: readonly Instance[];
  readonly suppressions: readonly Suppression[];
  /** A suppression holds until the end of its day, in UTC. */
  readonly today: Date;
}

/** Which instances of these findings are accepted. An id of a finding stands for all its instances. Pure. */
export function acceptedOf(
  findings: readonly Finding[],
  { baseline, suppressions, today }: Acceptance,
): Accepted {
  const known = new Set(baseline.map(({ id }) => id));
  const valid = suppressions.filter((each) => isInForce(markOf(each), today));
  const reasons = new Map<string, string>();
  const marks = new Map<string, Mark>();
  const matched = new Set<Suppression>();
  for (const finding of findings) {
    for (const { id } of instancesOf(finding)) {
      const own = suppressions.filter((each) => each.id === id || each.id === finding.id);
      for (const each of own) matched.add(each);
      const suppression = own.find((each) => valid.includes(each));
      if (suppression) {
        reasons.set(id, `suppressed until ${suppression.expires}: ${suppression.reason}`);
        marks.set(id, markOf(suppression));
      } else if (known.has(id)) {
        reasons.set(id, IN_BASELINE.reason);
        marks.set(id, IN_BASELINE);
      }
    }
  }
  return {
    reasons,
    marks,
    notes: suppressions.flatMap((each) =>
      noteOn(each, { isValid: valid.includes(each), isMatched: matched.has(each) }),
    ),
  };
}

/** Of everything that an earlier report has: those who gave it accepted what it found. */
const IN_BASELINE: Mark = { status: "accepted", reason: "in the baseline" };

const markOf = ({ reason, expires }: Suppression): Mark => ({
  status: "accepted",
  reason,
  expiresAt: new Date(Date.parse(expires) + DAY_MS).toISOString(),
});

function noteOn(
  { id, reason, expires }: Suppression,
  { isValid, isMatched }: { isValid: boolean; isMatched: boolean },
): string[] {
  if (!isMatched) return [`The suppression of ${id} (${reason}) matches nothing.`];
  return isValid ? [] : [`The suppression of ${id} (${reason}) expired on ${expires}: it counts again.`];
}
