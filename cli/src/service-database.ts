import { UserError } from "./command-line.ts";
import { parseSettings } from "./settings.ts";
import { readRunning } from "./standalone/data-dir.ts";

/** The database of a service, for commands that change it beside the service. */
export interface ServiceDatabase {
  readonly url: string;
  /** The variable that led to it, for messages. */
  readonly setting: string;
  /** Where browsers reach the service; undefined: not known. */
  readonly publicUrl: string | undefined;
}

/** @throws UserError when no setting leads to a database */
export function serviceDatabase(): ServiceDatabase {
  const { settings } = parseSettings(process.env, ["databaseUrl", "dataDir", "publicUrl"]);
  const running = readRunning(settings.dataDir);
  const publicUrl = settings.publicUrl?.origin ?? running?.publicUrl;
  if (settings.databaseUrl !== undefined)
    return { url: settings.databaseUrl, setting: "DATABASE_URL", publicUrl };
  const url = running?.databaseUrl;
  if (url !== undefined) return { url, setting: "GLOVEBOX_DATA_DIR", publicUrl };
  throw new UserError(`No DATABASE_URL is set, and no glovebox runs on ${settings.dataDir}; start it first.`);
}
