import type { Check } from "../../engine/check.ts";
import anonymousObjectRead from "./anonymous-object-read.ts";

export const bolaAuthorizationChecks: readonly Check[] = [anonymousObjectRead];
