import { ApiError, MAX_ACTIVE_KEYS, SCOPES, inputMoment, inputName, type Scope } from "@glovebox/contract";
import { KeyRefused, addKey, hashApiKey, newApiKey, revokeKey, rotateKey } from "@glovebox/store";
import * as z from "zod";
import { NO_INPUT, can, router } from "./trpc.ts";

/** A key without its secret. Dates are ISO 8601. */
export interface KeyItem {
  readonly id: string;
  readonly name: string;
  /** Empty: the key may do everything. */
  readonly scopes: readonly Scope[];
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** The only response that contains the key itself. */
export interface NewKeyItem {
  readonly id: string;
  readonly key: string;
}

const keyId = z.uuid();
/** How long the old key stays valid after a rotation, in hours. */
const MAX_GRACE_HOURS = 168;

const newKey = z.strictObject({
  name: inputName,
  scopes: z.array(z.enum(SCOPES)).max(SCOPES.length).default([]),
  expiresAt: inputMoment({ offset: true }).optional(),
});

export const keysRouter = router({
  list: can("keys:read")
    .input(NO_INPUT)
    .query(async ({ ctx: { account, services } }): Promise<KeyItem[]> => {
      const rows = await services.store.keys.list(account.id);
      return rows.map(({ createdAt, expiresAt, lastUsedAt, revokedAt, ...key }) => ({
        ...key,
        createdAt: createdAt.toISOString(),
        expiresAt: expiresAt?.toISOString() ?? null,
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
        revokedAt: revokedAt?.toISOString() ?? null,
      }));
    }),

  create: can("keys:write")
    .input(newKey)
    .mutation(async ({ ctx: { account, services, change }, input }): Promise<NewKeyItem> => {
      const expiresAt = input.expiresAt === undefined ? undefined : new Date(input.expiresAt);
      if (expiresAt && expiresAt <= services.now())
        throw new ApiError("invalid_request", "must be in the future", { field: "expiresAt" });
      const key = newApiKey();
      const { name, scopes } = input;
      const added = { accountId: account.id, sha256: hashApiKey(key), name, scopes, expiresAt };
      const { keyId: id } = await addKey(change, added).catch(refused);
      return { id, key };
    }),

  /** Replaces a key by another of the same name and scopes; the old one is valid for some hours more. */
  rotate: can("keys:write")
    .input(z.strictObject({ keyId, graceHours: z.int().min(0).max(MAX_GRACE_HOURS).default(24) }))
    .mutation(async ({ ctx: { account, change }, input }): Promise<NewKeyItem> => {
      const key = newApiKey();
      const rotation = { ...input, accountId: account.id, sha256: hashApiKey(key) };
      const rotated = await rotateKey(change, rotation).catch(refused);
      if (!rotated) throw noSuchKey();
      return { id: rotated.keyId, key };
    }),

  revoke: can("keys:write")
    .input(z.strictObject({ keyId }))
    .mutation(async ({ ctx: { account, change }, input }) => {
      if (!(await revokeKey(change, input.keyId, account.id))) throw noSuchKey();
      return {};
    }),
});

function refused(error: unknown): never {
  if (!(error instanceof KeyRefused) || error.reason !== "tooMany") throw error;
  const message = `The account has ${MAX_ACTIVE_KEYS} active keys; revoke one first.`;
  throw new ApiError("invalid_request", message, { cause: error });
}

const noSuchKey = (): ApiError => new ApiError("not_found", "not found, or revoked", { field: "keyId" });
