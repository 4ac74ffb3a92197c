import { ApiError } from "@glovebox/contract";
import type { Services } from "../deps.ts";

/** The link of an invitation. @throws ApiError `unavailable` */
export function invitationUrl({ publicUrl }: Pick<Services, "publicUrl">, token: string): string {
  const base = publicUrl();
  if (!base) throw new ApiError("unavailable", "The service does not know its public URL.");
  return new URL(`/invitation/${token}`, base).href;
}
