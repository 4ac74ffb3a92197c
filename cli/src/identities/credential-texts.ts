import type { Identity } from "@glovebox/contract";

/** Shorter values occur in other texts, which a log must keep readable. */
const MIN_LENGTH = 6;

/** Every text of the credentials, login bodies and forms of an identity; of a header also what follows its scheme. */
export function credentialTexts({ headers = {}, cookies, query, login }: Identity): string[] {
  const behindSchemes = Object.values(headers).map((value) => value.replace(/^\S+ +/, ""));
  const all = [headers, behindSchemes, cookies, query, login?.body, login?.form, login?.refresh?.body];
  return textsIn(all).filter((text) => text.length >= MIN_LENGTH);
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
