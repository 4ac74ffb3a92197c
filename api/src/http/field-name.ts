const LONGEST = 64;

/** A field's name as it may be repeated in a message: a name is the client's text, and may be anything. */
export function fieldName(name: string): string {
  return /^[\w.$-]+$/.test(name) && name.length <= LONGEST ? name : "a field with an unusual name";
}
