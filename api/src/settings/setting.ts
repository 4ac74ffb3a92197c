import type * as z from "zod";
import { nearest } from "./nearest.ts";

/** One setting: where it comes from, what it may be, and what it is for. */
export interface Setting<T> {
  readonly variable: string;
  readonly type: string;
  /** As text, exactly as one would set it; undefined: unset means absent, or refused where the schema wants text. */
  readonly fallback?: string;
  readonly meaning: string;
  readonly schema: z.ZodType<T, string | undefined>;
}

export const setting = <T>(definition: Setting<T>): Setting<T> => definition;

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;
export type SettingsOf<T extends SettingsTable> = { readonly [K in keyof T]: z.output<T[K]["schema"]> };

/** A setting that cannot be used: the message is one line that names the variable and the reason. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/**
 * All settings of a table, or those named, from the environment. An empty variable counts as unset.
 * @returns the settings, and a warning for each GLOVEBOX_ variable that is none of the table's.
 * @throws SettingsError for the first variable, in the order of the table, that cannot be used.
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

/** A setting as the documentation lists it. */
export interface SettingRow {
  readonly name: string;
  readonly type: string;
  readonly default: string | undefined;
  readonly meaning: string;
}

export const settingRows = (table: SettingsTable): SettingRow[] =>
  Object.values(table).map(({ variable, type, fallback, meaning }) => ({
    name: variable,
    type,
    default: fallback,
    meaning,
  }));

function readOne({ variable, fallback, schema }: Setting<unknown>, environment: NodeJS.ProcessEnv): unknown {
  const parsed = schema.safeParse(environment[variable] || fallback);
  if (!parsed.success) throw new SettingsError(`${variable}: ${parsed.error.issues[0]!.message}`);
  return parsed.data;
}

function unknownVariables(table: SettingsTable, environment: NodeJS.ProcessEnv): string[] {
  const known = Object.values(table).map(({ variable }) => variable);
  return Object.keys(environment)
    .filter((name) => name.startsWith("GLOVEBOX_") && !known.includes(name))
    .map((name) => {
      const close = nearest(name, known);
      return `${name} is no setting and is ignored${close ? `; did you mean ${close}?` : ""}`;
    });
}
