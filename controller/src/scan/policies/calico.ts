import type { Labels } from "../label-selector.ts";
import type { Opens } from "../foreign-policies.ts";

interface Spec {
  readonly selector?: string;
  readonly types?: readonly string[];
  readonly egress?: readonly { readonly action?: string }[];
}

/**
 * Calico's policies: opens more when it may select the pod and an egress rule allows something, or passes on to a
 * profile. Selectors are read as far as they are conjunctions of plain terms; any other counts as selecting, and so do
 * those for namespaces and service accounts.
 */
export const calicoOpens: Opens = (spec, { podLabels, namespace }) => {
  const { selector = "", types, egress = [] } = spec as Spec;
  if (types && !types.includes("Egress")) return false;
  const isAllowing = egress.some(({ action }) => action !== "Deny" && action !== "Log");
  return isAllowing && maySelect(selector, { ...podLabels, "projectcalico.org/namespace": namespace });
};

function maySelect(selector: string, labels: Labels): boolean {
  // A parenthesis that groups, or an alternative, is more than this reads.
  if (/\|\||!\s*\(|(?<!\b(?:all|has|global))\(/.test(selector)) return true;
  return selector.split("&&").every((term) => mayHold(term.trim(), labels));
}

const COMPARISON = /^(?<key>[\w./-]+)\s*(?<operator>==|!=)\s*(?:'(?<single>[^']*)'|"(?<double>[^"]*)")$/;
const PRESENCE = /^(?<not>!\s*)?has\(\s*(?<key>[\w./-]+)\s*\)$/;
const MEMBERSHIP = /^(?<key>[\w./-]+)\s+(?<not>not\s+)?in\s*\{(?<values>[^}]*)\}$/;

function mayHold(term: string, labels: Labels): boolean {
  const comparison = COMPARISON.exec(term)?.groups;
  if (comparison) {
    const isEqual = labels[comparison["key"]!] === (comparison["single"] ?? comparison["double"]);
    return isEqual === (comparison["operator"] === "==");
  }
  const presence = PRESENCE.exec(term)?.groups;
  if (presence) return Object.hasOwn(labels, presence["key"]!) === !presence["not"];
  const membership = MEMBERSHIP.exec(term)?.groups;
  if (!membership) return true;
  const values = [...membership["values"]!.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, a, b]) => a ?? b);
  return values.includes(labels[membership["key"]!]) === !membership["not"];
}
