import { UserError } from "../user-error.ts";

/** Options of `glovebox demo` as the command line gives them. */
export interface RawDemoOptions {
  readonly port: string;
  readonly hardened?: boolean;
  readonly certificates?: string;
  readonly supervised?: boolean;
}

/** @throws UserError that names the option and the reason. */
export function portOf({ port }: RawDemoOptions): number {
  if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
  throw new UserError("--port: must be a whole number from 0 to 65535");
}
