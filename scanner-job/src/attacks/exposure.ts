import type { Category, Location, Severity } from "@glovebox/contract";
import {
  defineCheck,
  fail,
  inconclusive,
  notApplicable,
  pass,
  type ExaminingCheck,
  type Overrides,
  type Subject,
  type TargetProfile,
  type Verdict,
} from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import { optional } from "../json.ts";
import { withoutMeaning } from "../oracles/classify.ts";
import { notFoundControl } from "../oracles/not-found.ts";
import { areSimilar } from "../oracles/similarity.ts";
import { assignedSecretsIn } from "../signatures/assigned-secrets.ts";
import { kindIn, type Content } from "../signatures/content.ts";
import type { Product } from "../signatures/products.ts";
import { secretsIn } from "../signatures/secrets.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../transport/exchange.ts";

/** Something that is served and was not meant to be, and how its content is known. */
export interface Exposure {
  /** The check is `<category folder>/exposed-<name>`. */
  readonly name: string;
  readonly title: string;
  readonly severity: Severity;
  /** Its common locations, the most common first. */
  readonly paths: readonly [string, ...string[]];
  readonly content: Content;
  /** It belongs to this product, and is likelier where the target is made with it. */
  readonly product?: Product;
  /** It is also requested below the API's base path and the parents of that. */
  readonly below?: "base";
  /** It is recognised in every response of the scan, regardless of its address. */
  readonly everywhere?: true;
  /** The values are from the running process, regardless of what they look like. */
  readonly isOfProcess?: true;
  /** The first bytes are enough. */
  readonly large?: true;
}

/** What the rows of one table have in common. */
export interface ExposureGroup extends Partial<Pick<Exposure, "product" | "below" | "large">> {
  /** The heading of the table in the documentation. */
  readonly group: string;
  readonly category?: "dataExposure" | "inventoryManagement";
  /** Each row is about a separate product. */
  readonly ofProducts?: true;
  readonly cwe: number;
  readonly description: string;
  readonly remediation: string;
}

/** A table of exposures: each row is a separate check. */
export const exposures = (group: ExposureGroup, rows: readonly Exposure[]): readonly ExaminingCheck[] =>
  rows.map((row) => exposure({ ...group, ...row }));

/** The check of one row. */
function exposure(row: Exposure & ExposureGroup): ExaminingCheck {
  const category = row.category ?? "dataExposure";
  const cvss = VECTORS[row.severity];
  const id = `${FOLDERS[category]}/exposed-${row.name}`;
  return defineCheck<ExposureSubject, Found>({
    id,
    kind: "exposure",
    group: row.group,
    ...optional("product", row.product ?? (row.ofProducts ? row.name : undefined)),
    category,
    title: row.title,
    severity: row.severity,
    confidence: "confirmed",
    description: row.description,
    rule: `The response is ${row.content.says}; two random paths of the same form get a different response, the same both times.`,
    control: "Two random paths of the same form.",
    remediation: row.remediation,
    references: { cwe: row.cwe, owasp: OWASP[category], ...(cvss && { cvss }) },
    cost: 1,
    prior: ({ prior }) => prior,
    subjects: (profile) => subjectsOf(row, profile),
    notApplicable: "This check applies to every target.",

    memory: () => ({ path: undefined }),
    async examine(subject, probe, found) {
      const { path } = subject.location;
      if (found.path !== undefined && found.path !== path)
        return notApplicable(`The file or endpoint was found at ${found.path}.`);
      const verdict = await examineOne(row, subject, probe);
      if (verdict.outcome === "fail") found.path ??= path;
      return verdict;
    },
    ...(row.everywhere && {
      observe: (response, { profile, operation }) =>
        isSeenIn(row, response) && !profile.calibration.looksMissing(response)
          ? {
              observed: observedIn(row, response),
              location: operation?.location ?? addressOf(response.request),
              ...severityIn(row, response),
            }
          : undefined,
    }),
  });
}

/** Where the row was found: its other locations are not tried then. */
interface Found {
  path: string | undefined;
}

interface ExposureSubject extends Subject {
  readonly request: ProbeRequest;
  readonly prior: number;
}

const BELOW_BASE = 0.3;
const UNCOMMON = 0.1;
const OF_THE_PRODUCT = 4;
const OF_ANOTHER = 0.4;

/** One subject for each address, the most common first. */
function subjectsOf(row: Exposure, profile: TargetProfile): ExposureSubject[] {
  const fit = !row.product ? 1 : profile.products.has(row.product) ? OF_THE_PRODUCT : OF_ANOTHER;
  const bases = row.below === "base" ? basesOf(profile.target.pathname) : [];
  return row.paths.flatMap((path, index) =>
    ["", ...bases].map((base) => ({
      location: { method: "GET", path: base + path.replace(/\?.*/, "") },
      request: requestOf(row, profile.target.origin + base + path),
      prior: fit * (index > 0 ? UNCOMMON : 1) * (base === "" ? 1 : BELOW_BASE),
    })),
  );
}

/** `/api/v1` and `/api` of `/api/v1/`. */
function basesOf(pathname: string): string[] {
  const segments = pathname.split("/").filter(Boolean);
  return segments.map((_, index) => `/${segments.slice(0, segments.length - index).join("/")}`).slice(0, 3);
}

function requestOf({ content, large }: Exposure, url: string): ProbeRequest {
  const request = readOf(url);
  const accept = content.isPage ? { accept: "text/html, */*;q=0.5" } : {};
  const range = large ? { range: "bytes=0-4095" } : {};
  return { ...request, headers: { ...request.headers, ...accept, ...range } };
}

async function examineOne(row: Exposure, { request }: ExposureSubject, probe: Probe): Promise<Verdict> {
  const response = await probe.attack(request);
  const unclear = withoutMeaning(response);
  if (unclear) return inconclusive(unclear);
  if (!isSeenIn(row, response)) return pass();

  const siblings = [
    await probe.control(siblingOf(request, probe, probe.profile.calibration.nonce)),
    await probe.control(siblingOf(request, probe, probe.nonce())),
  ] as const;
  if (siblings.some((sibling) => areSimilar(response, sibling) || isSeenIn(row, sibling)))
    return inconclusive("A random nonexistent path gets the same response.");
  if (siblings[0].status !== siblings[1].status)
    return inconclusive("Random nonexistent paths get varying responses.");
  return fail(observedIn(row, response), severityIn(row, response));
}

/** The same request for a random path that cannot exist; for the root, a random name below it. */
function siblingOf(request: ProbeRequest, { profile }: Probe, nonce: string): ProbeRequest {
  const { origin, pathname, search } = new URL(request.url);
  return pathname === "/"
    ? { ...request, url: `${origin}/${nonce}${search}` }
    : notFoundControl(request, { ...profile, calibration: { nonce } });
}

const addressOf = ({ method, url }: ProbeRequest): Location => ({ method, path: new URL(url).pathname });

const isSeenIn = ({ content }: Exposure, response: ProbeResponse): boolean =>
  (response.status === 200 || response.status === 206) && content.isIn(response);

function observedIn({ content }: Exposure, response: ProbeResponse): string {
  const { body } = response;
  const secrets = [
    ...secretsIn(body).map(({ kind, masked }) => `${kind} ${masked}`),
    ...assignedSecretsIn(body)
      .filter(({ value }) => value === "real")
      .map(({ masked }) => masked),
  ];
  const held = secrets.length > 0 ? ` It contains ${secrets.slice(0, 4).join(", ")}.` : "";
  return `The response is ${kindIn(content, response)}.${held}`;
}

/** Secrets that can be used raise the severity of what holds them; masked ones lower it, and placeholders show a sample. */
function severityIn({ severity, content, isOfProcess }: Exposure, { body }: ProbeResponse): Overrides {
  if (content.isPage) return {};
  const assigned = assignedSecretsIn(body).map(({ value }) => value);
  if (assigned.includes("real") || secretsIn(body).length > 0) return { severity: RAISED[severity] };
  // A weak password opens what it protects all the same.
  if (assigned.includes("weak")) return {};
  if (assigned.includes("masked")) return { severity: LOWERED[severity] };
  if (isOfProcess) return {}; // what a process runs with is not a sample
  return assigned.length > 0 ? { severity: "info" } : {};
}

const RAISED: Readonly<Record<Severity, Severity>> = {
  info: "medium",
  low: "high",
  medium: "high",
  high: "critical",
  critical: "critical",
};
const LOWERED: Readonly<Record<Severity, Severity>> = {
  info: "info",
  low: "low",
  medium: "low",
  high: "medium",
  critical: "high",
};

const FOLDERS = { dataExposure: "data-exposure", inventoryManagement: "inventory-management" } as const;
const OWASP = { dataExposure: "API8:2023", inventoryManagement: "API9:2023" } as const satisfies Partial<
  Record<Category, string>
>;
const VECTORS: Readonly<Partial<Record<Severity, string>>> = {
  critical: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
  high: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  medium: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:L/VI:N/VA:N/SC:N/SI:N/SA:N",
};
