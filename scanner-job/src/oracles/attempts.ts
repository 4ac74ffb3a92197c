import { isObject, walk, type JsonObject } from "../json.ts";
import { plainName } from "../names.ts";
import type { ProbeResponse } from "../transport/exchange.ts";
import { isSuccess } from "./classify.ts";
import { holdsData } from "./records.ts";

/**
 * A success that refuses an attempt to sign in all the same: each of its members is empty, as in `{"token": null}`, or a short text
 * says so. `{"ok": true}` and no content are none.
 */
export const refusesAttempt = (response: ProbeResponse): boolean =>
  (isObject(response.json) && isVoid(response.json)) ||
  (response.body.length < 1_000 && SAYS_NO.test(response.body));

const isVoid = (json: JsonObject): boolean =>
  Object.keys(json).length > 0 &&
  ![...walk(json, { depth: 4, values: 500 })].some(({ value }) => value === true) &&
  !holdsData(json);

const SAYS_NO = /\b(incorrect|invalid|wrong|fail(ed|ure)|denied|unknown|not (found|exist|valid)|no such)\b/i;

/** A token in the body or in the header, where nothing says that the attempt failed. */
export function issuesToken(response: ProbeResponse): boolean {
  if (!isSuccess(response)) return false;
  const inBody = [...walk(response.json, { depth: 4, values: 500 })].some(
    ({ key, value }) => TOKEN.test(plainName(key)) && typeof value === "string" && value.length >= 12,
  );
  return inBody || (response.headers["authorization"] ?? "").length >= 12;
}

const TOKEN =
  /^(access|auth|id|session|bearer|jwt|api|user|login)?(token|jwt)$|^(accesstoken|sessionid|sid|apikey|key)$/;
