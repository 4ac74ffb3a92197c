import { STEP_TYPES, type Condition } from "@glovebox/k8s";
import type { FailedScan, QueueState, QueuedScan } from "@glovebox/store";
import * as z from "zod";
import type { Services } from "../deps.ts";
import type { OidcProvider } from "../settings/oidc-providers.ts";
import { callbackOf } from "../sign-in/oidc-pages.ts";
import { dated, type DatesAsText } from "./lists.ts";
import { NO_INPUT, administer, router } from "./trpc.ts";

export interface QueuedScanItem extends DatesAsText<Omit<QueuedScan, "resourceUid">> {
  /** What the cluster says: the first condition that is not true. Null: it says nothing, or was not asked. */
  readonly waitsFor: Pick<Condition, "type" | "reason" | "message"> | null;
}

export interface ServiceState extends QueueState {
  /** Null: scans do not run on Kubernetes. */
  readonly cluster: "reachable" | "unreachable" | null;
}

/** How users sign in, as the settings say: never a secret. */
export interface SignInSettingsItem {
  /** Where browsers reach the service. Null: unknown, so nobody can sign in. */
  readonly publicUrl: string | null;
  /** False: users sign in with a provider only. */
  readonly acceptsPasswords: boolean;
  readonly providers: readonly (Pick<
    OidcProvider,
    "id" | "name" | "issuer" | "clientId" | "scopes" | "groupsClaim" | "administrators" | "roles"
  > & {
    /** To register at the provider. */
    readonly redirectUri: string | null;
  })[];
}

const limit = z.strictObject({ limit: z.int().min(1).max(100).default(50) });
/** How many waiting scans the cluster is asked about for one list. */
const MAX_EXPLAINED = 20;

/** The service as a whole, for its administrators. */
export const serviceRouter = router({
  state: administer.input(NO_INPUT).query(async ({ ctx: { services } }): Promise<ServiceState> => {
    const { store, launcher } = services;
    const [counts, schema, isReachable] = await Promise.all([
      store.queue.counts(),
      store.schemaState(),
      launcher.isReachable?.(),
    ]);
    const cluster = isReachable === undefined ? null : isReachable ? "reachable" : "unreachable";
    return { ...counts, schema, cluster };
  }),

  /** Scans that have not ended, the oldest first. The cluster is asked why the first 20 of those that wait do. */
  queue: administer.input(limit).query(async ({ ctx: { services }, input }): Promise<QueuedScanItem[]> => {
    const rows = await services.store.queue.list(input.limit);
    const asked = new Set(rows.filter(({ isRunning }) => !isRunning).slice(0, MAX_EXPLAINED));
    return Promise.all(
      rows.map(async (row) => {
        const { resourceUid, ...shown } = row;
        const waitsFor = asked.has(row) ? await reasonToWait(services, { id: row.id, resourceUid }) : null;
        return { ...dated(shown), waitsFor };
      }),
    );
  }),

  signIn: administer.input(NO_INPUT).query(({ ctx: { services } }): SignInSettingsItem => {
    const { signIn } = services;
    const publicUrl = services.publicUrl();
    return {
      publicUrl: publicUrl?.origin ?? null,
      acceptsPasswords: signIn.acceptsPasswords,
      providers: [...signIn.providers.values()].map((client) => {
        const { id, name, issuer, clientId, scopes, groupsClaim, administrators, roles } = client.provider;
        return {
          ...{ id, name, issuer, clientId, scopes, groupsClaim, administrators, roles },
          redirectUri: publicUrl ? callbackOf(client, publicUrl) : null,
        };
      }),
    };
  }),

  /** The last scans that failed for any reason but their cancellation. */
  failures: administer
    .input(limit)
    .query(async ({ ctx: { services }, input }): Promise<DatesAsText<FailedScan>[]> => {
      const rows = await services.store.queue.failures(input.limit);
      return rows.map(dated);
    }),
});

/** The queue is shown also while the cluster is away, which `state` says. */
async function reasonToWait(
  { launcher }: Services,
  scan: Pick<QueuedScan, "id" | "resourceUid">,
): Promise<QueuedScanItem["waitsFor"]> {
  const conditions = (await launcher.conditions?.(scan).catch(() => [])) ?? [];
  const byType = new Map(conditions.map((condition) => [condition.type, condition]));
  const steps = STEP_TYPES.map((type) => byType.get(type)).filter((step) => step !== undefined);
  const open = steps.find(({ status }) => status !== "True");
  return open ? { type: open.type, reason: open.reason, message: open.message } : null;
}
