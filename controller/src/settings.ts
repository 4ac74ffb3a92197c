import type * as z from "zod";
import { podSchema } from "./pod-options.ts";
import type { PodOptions } from "./scan/job-manifest.ts";
import { SETTINGS, type Setting } from "./settings-table.ts";

/** A setting that cannot be used: one line that names the variable and the reason. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

type Variables = {
  readonly [Variable in keyof typeof SETTINGS]: z.output<(typeof SETTINGS)[Variable]["schema"]>;
};
export type ControllerSettings = Variables & { readonly pod: PodOptions };

/**
 * The controller's settings from the environment. An empty variable counts as unset.
 * @throws SettingsError for the first variable that cannot be used.
 */
export function readSettings(environment: NodeJS.ProcessEnv): ControllerSettings {
  const entries = table().map(([variable, { schema, fallback }]) => {
    const parsed = schema.safeParse(environment[variable] || fallback);
    if (!parsed.success) throw new SettingsError(`${variable}: ${parsed.error.issues[0]!.message}`);
    return [variable, parsed.data];
  });
  const variables = Object.fromEntries(entries) as Variables;
  return { ...variables, pod: podOptions(variables) };
}

/** Every setting as the documentation lists it. */
export const controllerSettingRows = () =>
  table().map(([name, { type, fallback, meaning }]) => ({ name, type, default: fallback, meaning }));

const table = () => Object.entries<Setting<unknown>>(SETTINGS);

function podOptions(settings: Variables): PodOptions {
  const file = settings.GLOVEBOX_SCANNER_FILE ?? podSchema.parse({});
  const image = settings.SCANNER_IMAGE ?? file.image;
  if (image === undefined)
    throw new SettingsError("SCANNER_IMAGE: must be set, or the image in the file of GLOVEBOX_SCANNER_FILE");
  const runtimeClassName = settings.GLOVEBOX_RUNTIME_CLASS ?? file.runtimeClassName;
  const extraCaConfigMap = settings.GLOVEBOX_EXTRA_CA_CONFIG_MAP;
  const given = Object.entries({ ...file, image, runtimeClassName, extraCaConfigMap }).filter(
    ([, value]) => value !== undefined,
  );
  return Object.fromEntries(given) as unknown as PodOptions;
}
