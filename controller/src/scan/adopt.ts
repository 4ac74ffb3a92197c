import { parseTargetUrl } from "@glovebox/contract";
import { ANNOTATIONS, claimsRow, type Reason, type ScanResource } from "@glovebox/k8s";
import type { Store } from "@glovebox/store";
import { mayBeTarget, type NamespaceReader } from "../namespace.ts";
import type { Fence } from "../runtime/fence.ts";
import type { Effects } from "./overlay.ts";
import type { World } from "./world.ts";

export interface AdoptDeps {
  readonly store: {
    readonly scans: Pick<Store["scans"], "adopt" | "bind">;
  };
  /** Asked before each write to the store, too. */
  readonly fence: Pick<Fence, "assertHeld">;
  readonly namespaceFacts: NamespaceReader;
}

/** Charges the account that the Scan, or its namespace, names, and puts the scan on record. */
export async function adopt(world: World, deps: AdoptDeps): Promise<Effects> {
  const { scan } = world;
  const { namespace } = scan.metadata;
  const facts = await deps.namespaceFacts(namespace, "fresh");
  const accountName = scan.spec.account ?? facts.account;
  if (accountName === undefined)
    return refused("AccountMissing", "Neither spec.account nor the namespace's annotation names an account.");
  if (!facts.accounts.has(accountName))
    return refused("AccountNotAllowed", notListed(namespace, "accounts", `the account ${accountName}`));
  const stranger = hostsOf(scan).find((host) => !mayBeTarget(host, facts));
  if (stranger !== undefined)
    return refused("TargetNotAllowed", notListed(namespace, "targets", `the host ${stranger}`));
  const asked = await requestIn(world, deps);
  deps.fence.assertHeld();
  const result = await deps.store.scans.adopt({ ...asked, accountName });
  if (result.outcome === "unknownAccount")
    return refused("UnknownAccount", `There is no account named ${JSON.stringify(accountName)}.`);
  if (result.outcome !== "quotaExceeded") return {};
  return refused("QuotaExhausted", `The plan ${result.plan} has ${result.scansPerMonth} scans a month.`);
}

/** Notes the Scan for its row. */
export async function bind(world: World, deps: AdoptDeps): Promise<Effects> {
  const { scan } = world;
  // The API names the account in each Scan that it makes; by hand it may be left to the namespace.
  const accountName = claimsRow(scan) ? (scan.spec.account ?? "") : scan.spec.account;
  const asked = await requestIn(world, deps);
  deps.fence.assertHeld();
  return (await deps.store.scans.bind({ ...asked, accountName })) ? {} : { answers: { binding: "refused" } };
}

/** What the Scan asks for, in the form in which it is on record, and which Scan it is. */
async function requestIn({ scan, scanId, settings }: World, { namespaceFacts }: AdoptDeps) {
  const { url, specUrl, context } = scan.spec;
  const { uid: installation } = await namespaceFacts(settings.namespace);
  return {
    id: scanId,
    url: parseTargetUrl("url", url).href,
    specUrl: specUrl === undefined ? undefined : parseTargetUrl("specUrl", specUrl).href,
    context,
    resource: resourceOf(scan, installation),
  };
}

const resourceOf = ({ metadata: { uid, namespace } }: ScanResource, installation: string) => ({
  ...{ uid, namespace, installation },
});

const notListed = (namespace: string, list: "accounts" | "targets", what: string): string =>
  `The annotation ${ANNOTATIONS[list]} of the namespace ${namespace} does not list ${what}.`;

const hostsOf = ({ spec: { url, specUrl } }: ScanResource): string[] =>
  [url, ...(specUrl === undefined ? [] : [specUrl])].map((text) => parseTargetUrl("url", text).hostname);

const refused = (reason: Reason, message: string): Effects => ({
  answers: { adoption: { refused: reason, message } },
});
