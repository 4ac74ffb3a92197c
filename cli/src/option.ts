import { UserError } from "./user-error.ts";

type Parse<T> = (text: string) => T;

/**
 * The value of an option of the command line; undefined when it was not given.
 * @throws UserError that names the option and the reason, which is the message of what `parse` throws
 */
export function parseOption<T>(option: string, text: string, parse: Parse<T>): T;
export function parseOption<T>(option: string, text: string | undefined, parse: Parse<T>): T | undefined;
export function parseOption<T>(option: string, text: string | undefined, parse: Parse<T>): T | undefined {
  if (text === undefined) return undefined;
  try {
    return parse(text);
  } catch (error) {
    throw new UserError(`${option}: ${(error as Error).message}`, { cause: error });
  }
}

/** One of these values. */
export const choice =
  <Word extends string>(words: readonly Word[]): Parse<Word> =>
  (text) => {
    const chosen = words.find((word) => word === text);
    if (chosen === undefined) throw new Error(`must be one of ${words.join(", ")}`);
    return chosen;
  };
