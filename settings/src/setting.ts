import { distance } from "fastest-levenshtein";

/** One setting: the variable that it comes from, what it may be, and what it is for. */
export interface Setting<T> {
  readonly variable: string;
  /** Type of the value, as docs/settings.md shows it: `port number`, `comma-separated list of CIDR`. */
  readonly type: string;
  /** As text, exactly as one would set it. Without one, `parse` is given the empty text when the variable is unset. */
  readonly default?: string;
  readonly description: string;
  /** The value holds a credential: it comes from a Secret, and no message repeats it. */
  readonly secret?: true;
  /**
   * Parses the text. A function, not a schema of a library: the canary has to stay small.
   * @throws Error whose message is the reason, such as `must be a whole number from 0 to 120`
   */
  readonly parse: (text: string) => T;
}

/** Settings of one program by the names that its code has for them, in the order in which they are documented. */
export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;
export type SettingsOf<T extends SettingsTable> = { readonly [K in keyof T]: ReturnType<T[K]["parse"]> };

export const setting = <T>(definition: Setting<T>): Setting<T> => definition;

/** A setting that cannot be used: the message is one line that names the variable and the reason. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * All settings of a table, or those named, from the environment. An empty variable counts as unset.
 * @returns the settings, and a warning for each GLOVEBOX_ variable that is not in the table
 * @throws SettingsError for the first variable, in the order of the table, that cannot be used
 */
export function readSettings<T extends SettingsTable, K extends keyof T = keyof T>(
  table: T,
  environment: NodeJS.ProcessEnv,
  keys: readonly K[] = Object.keys(table) as unknown as K[],
): { settings: Pick<SettingsOf<T>, K>; warnings: string[] } {
  const entries = keys.map((key) => [key, readOne(table[key]!, environment)]);
  return {
    settings: Object.fromEntries(entries) as Pick<SettingsOf<T>, K>,
    warnings: unknownVariables(table, environment),
  };
}

function readOne(definition: Setting<unknown>, environment: NodeJS.ProcessEnv): unknown {
  const { variable, parse } = definition;
  try {
    return parse(environment[variable] || definition.default || "");
  } catch (error) {
    throw new SettingsError(`${variable}: ${(error as Error).message}`, { cause: error });
  }
}

function unknownVariables(table: SettingsTable, environment: NodeJS.ProcessEnv): string[] {
  const known = Object.values(table).map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith("GLOVEBOX_") && !known.includes(name))
    .map((name) => {
      const close = nearest(name, known);
      return `${name} is not a setting and is ignored${close ? `; did you mean ${close}?` : ""}`;
    });
}

/** The most similar known variable, if at most a third of the letters differ. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(name, candidate) }))
    .toSorted((one, other) => one.edits - other.edits);
  return best && best.edits <= name.length / 3 ? best.candidate : undefined;
}
