import { randomInt } from "node:crypto";

/** A name of a field or parameter in one form: its letters and digits in lower case, equal for `userId` and `user_id`. */
export const plainName = (name: string): string => name.replace(/[^a-z\d]/gi, "").toLowerCase();

/** The letters of a name in lower case: equal for `address1` and `Address_2`. */
export const lettersOf = (name: string): string => name.replace(/[^a-z]/gi, "").toLowerCase();

/** The words of a name in lower case: equal for `listAdminUsers` and `list-admin-users`. */
export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

/** A part of an address without its percent-encoding; as it is where the encoding is invalid. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Another text of the same length whose characters are of the same classes: each letter and digit is another.
 * @param step chooses which, at random unless given: a number from 1 to below the size, for the position in the text
 */
export const ofSameForm = (
  text: string,
  step: (size: number, position: number) => number = (size) => randomInt(1, size),
): string =>
  CLASSES.reduce(
    (rest, { form, first, size }) =>
      rest.replaceAll(form, (character, position: number) => {
        const offset = character.charCodeAt(0) - first;
        return String.fromCharCode(first + ((offset + step(size, position)) % size));
      }),
    text,
  );

const CLASSES = [
  { form: /[a-z]/g, first: 97, size: 26 },
  { form: /[A-Z]/g, first: 65, size: 26 },
  { form: /\d/g, first: 48, size: 10 },
];
