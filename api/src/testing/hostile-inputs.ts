import * as z from "zod";

/** Text that has broken services: control characters, other alphabets, other languages' syntax, extreme dates and numbers. */
export const HOSTILE_TEXT: readonly string[] = [
  ...["", " ", "\0", "a\0b", "\u0001", "\n", "\u001b[2J", "\u007f", "\u0085", "\ufffe", "\u202e"],
  ...["\ud800", "x\udc00", "\u0130nitial", "\u212aelvin", "👩‍🚀".repeat(20), "e\u0301"],
  ...["'", '"', "\\", "%", "%00", "%s%n", "_", "../../etc/passwd", "${7*7}", "<script>", "a,b", "1;--"],
  ...["null", "NaN", "-1", "1e999", "0x10", "9".repeat(40), "__proto__", "constructor"],
  ...["0000-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59", "10000-01-01T00:00:00Z", "2026-02-30T00:00:00Z"],
  ...["infinity", "-infinity", "epoch", "a\0@example.com", "\u0130@example.com", "https://a\0.example/"],
  ...["00000000-0000-0000-0000-000000000000", "scan-00000000000000000000000000", "x".repeat(2_100)],
];

/** Values of JSON that are of another type than is asked for, or at its edge. */
export const HOSTILE_VALUES: readonly unknown[] = [
  ...HOSTILE_TEXT,
  ...[null, true, false, 0, -1, 1, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 63), 1e308, 5e-324],
  ...[[], [[]], {}, { toString: "x" }, ["\0"], ["a", "a"]],
];

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Values of fields that must name something, or be of a form that the schema alone does not give. By name. */
export type Known = Readonly<Record<string, unknown>>;

/** The schema of inputs as JSON Schema. */
export const schemaOf = (schema: z.ZodType): JsonSchema =>
  z.toJSONSchema(schema, { io: "input", unrepresentable: "any", cycles: "ref" });

/** An input that the schema accepts, with all optional fields. */
export function sampleOf(schema: JsonSchema, known: Known, name = ""): unknown {
  if (name in known) return known[name];
  if (schema.const !== undefined) return schema.const;
  const [choice] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (choice) return sampleOf(choice, known, name);
  if (schema.type === "object") return sampleOfFields(schema, known);
  return schema.type === "array" ? sampleOfItems(schema, known, name) : sampleOfScalar(schema);
}

function sampleOfItems({ prefixItems, items = {} }: JsonSchema, known: Known, name: string): unknown[] {
  return ((prefixItems ?? [items]) as JsonSchema[]).map((of) => sampleOf(of, known, name));
}

const sampleOfFields = ({ properties = {} }: JsonSchema, known: Known): object =>
  Object.fromEntries(
    Object.entries(properties).map(([key, of]) => [key, sampleOf(of as JsonSchema, known, key)]),
  );

function sampleOfScalar({ type, minimum = 1, format, enum: choices }: JsonSchema): unknown {
  if (choices) return choices[0];
  if (type === "integer" || type === "number") return minimum;
  if (type === "boolean") return true;
  return format === "date-time" ? "2030-01-01T00:00:00Z" : "a";
}

/** Copies of an input with each of the values in each position, and instead of the whole. */
export function* mutated(input: unknown, values: readonly unknown[]): Generator {
  yield* values;
  if (typeof input !== "object" || input === null) return;
  for (const key of Object.keys(input)) {
    const copy = (value: unknown): unknown =>
      Array.isArray(input) ? input.with(Number(key), value) : { ...input, [key]: value };
    for (const value of mutated((input as Record<string, unknown>)[key], values)) yield copy(value);
  }
  if (!Array.isArray(input)) yield { ...input, unknown: "\0" };
}

/** Runs the tasks, this many at a time. */
export async function inParallel<T>(
  items: Iterable<T>,
  atOnce: number,
  task: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = rest.next(); !next.done; next = rest.next()) await task(next.value);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** The inputs, in groups of this many. */
export function* inBatches<T>(inputs: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const input of inputs) {
    batch.push(input);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
