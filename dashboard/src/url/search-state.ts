/** State of a list that is in the URL: every field may be absent. */
export type SearchState = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** Reads one field of the parsed query; undefined where its value makes no sense. A link may be old, or made by hand. */
export type ReadField<Value> = (value: unknown) => Value | undefined;

/** A text of at most 200 characters that is not empty. */
export const text: ReadField<string> = (value) =>
  typeof value === "string" && value.trim() !== "" ? value.slice(0, 200) : asNumberText(value);

// The router parses `?q=17` as a number.
const asNumberText = (value: unknown): string | undefined =>
  typeof value === "number" && Number.isFinite(value) ? String(value) : undefined;

/** The number by which the server knows something. */
export const id: ReadField<number> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 1 ? value : undefined;

/** The number of a page, from 2: the first page is the absence of the field. */
export const page: ReadField<number> = (value) =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 2 ? value : undefined;

/** One of the given values. */
export const oneOf =
  <Value extends string>(values: readonly Value[]): ReadField<Value> =>
  (value) =>
    values.find((each) => each === value);

/** Several of the given values, in the given order; undefined for none. A single one may stand alone. */
export const someOf =
  <Value extends string>(values: readonly Value[]): ReadField<Value[]> =>
  (value) => {
    const given: unknown[] = Array.isArray(value) ? value : [value];
    const chosen = values.filter((each) => given.includes(each));
    return chosen.length > 0 ? chosen : undefined;
  };

/** Makes the validation of a route's query: fields that make no sense are left out, as are unknown ones. */
export function searchOf<Fields extends Record<string, ReadField<unknown>>>(
  fields: Fields,
): (search: Record<string, unknown>) => { [Name in keyof Fields]?: NonNullable<ReturnType<Fields[Name]>> } {
  return (search) => {
    const read = Object.entries(fields).map(([name, field]) => [name, field(search[name])] as const);
    return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as never;
  };
}

/** New values of some fields; undefined leaves a field out. */
export type Change<State> = { readonly [Name in keyof State]?: State[Name] | undefined };

/** The state with some fields changed. When anything but the page changes, the list starts at its first page again. */
export function withChange<State extends SearchState>(state: State, change: Change<State>): State {
  const merged = { ...state, ...("page" in change ? {} : { page: undefined }), ...change };
  const kept = Object.entries(merged).filter(
    ([, value]) => value !== undefined && value !== "" && value !== 1,
  );
  return Object.fromEntries(kept) as State;
}
