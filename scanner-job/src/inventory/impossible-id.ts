import { randomInt, randomUUID } from "node:crypto";
import { kindOfId } from "./looks-like-id.ts";
import { impossibleId, type Parameter } from "./operation.ts";

/**
 * An id that no object has, of the same form as one that exists: a difference between the two answers is then no
 * matter of form. Without an example it is one of the parameter's type.
 */
export function impossibleIdLike(example: string | undefined, parameter: Parameter): string {
  const kind = example === undefined ? undefined : kindOfId(example);
  if (example === undefined || kind === undefined) return impossibleId(parameter);
  if (kind === "integer") return impossibleId({ type: "integer" });
  if (kind.startsWith("uuid")) return randomUUID();
  return example.length < SHORTEST ? impossibleId(parameter) : scrambled(example);
}

/** Fewer letters than these might by chance be somebody's. */
const SHORTEST = 6;

/** Every letter and digit replaced by another of its sort. */
const scrambled = (text: string): string =>
  text
    .replace(/\d/g, (digit) => another("0123456789", digit))
    .replace(/[a-f]/g, (letter) => another("abcdef", letter))
    .replace(/[g-z]/g, (letter) => another("ghjkmnpqrstvwxyz", letter))
    .replace(/[A-Z]/g, (letter) => another("ABCDEFGHJKMNPQRSTVWXYZ", letter));

function another(alphabet: string, one: string): string {
  const others = alphabet.replace(one, "");
  return others[randomInt(others.length)]!;
}
