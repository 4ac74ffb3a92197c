import { createHmac } from "node:crypto";
import {
  defineCheck,
  fail,
  inconclusive,
  pass,
  type ExaminingCheck,
  type Subject,
  type TargetProfile,
  type Verdict,
} from "../engine/check.ts";
import type { Probe } from "../engine/probe.ts";
import type { Operation } from "../inventory/operation.ts";
import { BLOCKED, isBlocked, isSuccess } from "../oracles/classify.ts";
import type { ProbeRequest, ProbeResponse } from "../transport/exchange.ts";
import { likelySubject } from "./claimed-subject.ts";
import {
  carriersFor,
  challengedCarriers,
  distinct,
  isBasic,
  presenting,
  type Carrier,
} from "./credentials.ts";
import { whereRefused } from "./refusals.ts";
import { likelyRefusals } from "./subjects.ts";

/** A JSON Web Token (RFC 7519) of the given header and claims; the signature is taken as it is. */
export function jsonWebToken(
  header: Readonly<Record<string, unknown>>,
  claims: Claims,
  signature: string = "",
): string {
  return `${encoded({ typ: "JWT", ...header })}.${encoded(claims)}.${signature}`;
}

/** The token signed by HMAC (RFC 7518, section 3.2). */
export function signedToken(
  key: string | Buffer,
  claims: Claims,
  header: Readonly<Record<string, unknown>> = {},
): string {
  const unsigned = jsonWebToken({ alg: "HS256", ...header }, claims);
  return unsigned + createHmac("sha256", key).update(unsigned.slice(0, -1)).digest("base64url");
}

/** A signature of the right length that fits nothing. */
export const wrongSignature = (probe: Probe): string => probe.nonce().repeat(3).slice(0, 43);

export type Claims = Readonly<Record<string, unknown>>;

/**
 * Claims that satisfy most verifiers except for the signature, under all common claim names; valid until
 * 2100, as no clock is asked.
 */
export const plausibleClaims = (subject: string): Claims => ({
  sub: subject,
  id: 1,
  user_id: 1,
  user: subject,
  username: subject,
  name: subject,
  email: subject.includes("@") ? subject : `${subject}@glovebox.invalid`,
  role: "admin",
  roles: ["admin"],
  iat: 1_700_000_000,
  exp: 4_102_444_800,
});

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A read that may ask for a token, and the ways in which one could be presented to it. */
export interface ForgeryTarget extends Subject {
  readonly operation: Operation;
  readonly carriers: readonly Carrier[];
}

export interface Forgery {
  /** What it is, after "A token". */
  readonly label: string;
  readonly token: string;
}

/** Reads that are sent all forgeries. */
const MAX_IN_DEPTH = 3;

/** All reads that may be refused, with the locations of their tokens. */
export const forgeryTargets = (profile: TargetProfile): readonly ForgeryTarget[] =>
  likelyRefusals(profile).map((operation) => ({
    operation,
    location: operation.location,
    carriers: carriersFor(operation, profile.document).filter(takesToken),
  }));

/** Where a token may stand in the request that was refused: at the known locations, and where the refusal asks for one. */
export const tokenCarriers = (known: readonly Carrier[], refused: ProbeResponse): readonly Carrier[] =>
  distinct([...known, ...challengedCarriers(refused).filter(takesToken)]);

const takesToken = (carrier: Carrier): boolean => carrier.in !== "query" && !isBasic(carrier);

/** True for operations whose name indicates that they verify tokens: each may have its own verification. */
const verifiesTokens = ({ facts }: Operation): boolean => /\b(jwt|tokens?)\b/i.test(facts.path);

export interface Forgeries {
  /** The commonest first: every read is tried with the first one, a few with all. */
  readonly forgeries: readonly Forgery[];
  /** The same claims under a signature that fits nothing; left out where the forgeries themselves have such signatures. */
  readonly unbelievable?: string;
}

/** Makes the forgeries of one examination from claims that a verifier would believe. */
export type Forger = (claims: Claims) => Forgeries;

/** The operations at which a check has sent all of its forgeries. */
export type InDepth = Set<Operation>;

/**
 * Whether one of the forgeries gets past a refusal that neither a text that is not a token nor the unbelievable token gets
 * past.
 */
export const examineForgeries = (
  probe: Probe,
  { operation, carriers }: ForgeryTarget,
  { forger, inDepth }: { readonly forger: Forger; readonly inDepth: InDepth },
): Promise<Verdict> =>
  whereRefused(probe, operation, async (refused) => {
    const { request } = refused;
    const isDeep = verifiesTokens(operation) || isOfFirst(operation, inDepth);
    const { forgeries, unbelievable } = forger(plausibleClaims(await likelySubject(probe)));
    for (const carrier of tokenCarriers(carriers, refused)) {
      for (const { label, token } of isDeep ? forgeries : forgeries.slice(0, 1)) {
        const response = await probe.attack(presenting(request, carrier, token));
        if (!isSuccess(response)) continue;
        const noProof = await whyNoProof((text) => presenting(request, carrier, text), unbelievable, probe);
        return noProof ?? fail(`A token ${label} was accepted with status ${response.status}.`);
      }
    }
    return pass();
  });

/** One verifier most often serves all operations: to send everything to each would only repeat it. */
function isOfFirst(operation: Operation, inDepth: InDepth): boolean {
  if (inDepth.size < MAX_IN_DEPTH) inDepth.add(operation);
  return inDepth.has(operation);
}

/** The description of a token that a verifier should refuse. */
interface ForgedToken extends Pick<
  ExaminingCheck<ForgeryTarget>,
  "id" | "title" | "description" | "rule" | "control" | "remediation" | "prior" | "cost"
> {
  /** A verdict where the target offers nothing to forge with. */
  readonly forger: (probe: Probe) => Forger | Promise<Forger | Verdict>;
}

/** Declares a check of one way to forge a JSON Web Token. */
export const defineForgedToken = ({ forger, ...check }: ForgedToken): ExaminingCheck =>
  defineCheck<ForgeryTarget, InDepth>({
    ...check,
    kind: "bypass",
    category: "authentication",
    severity: "critical",
    confidence: "confirmed",
    references: FORGED_TOKEN,
    subjects: forgeryTargets,
    notApplicable: "No read operation is known.",
    memory: () => new Set(),
    async examine(target, probe, inDepth) {
      const made = await forger(probe);
      return typeof made === "function" ? examineForgeries(probe, target, { forger: made, inDepth }) : made;
    },
  });

const FORGED_TOKEN = {
  cwe: 347,
  owasp: "API2:2023",
  cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:N/SC:N/SI:N/SA:N",
} as const;

/** The verdict where what is weaker than the forgery is also accepted: that is another weakness, which has its own check. */
async function whyNoProof(
  carrying: (text: string) => ProbeRequest,
  unbelievable: string | undefined,
  probe: Probe,
): Promise<Verdict | undefined> {
  const weaker = [
    { text: probe.nonce(), reason: ANY_CREDENTIAL },
    ...(unbelievable === undefined ? [] : [{ text: unbelievable, reason: ANY_SIGNATURE }]),
  ];
  for (const { text, reason } of weaker) {
    const control = await probe.control(carrying(text));
    if (isBlocked(control)) return inconclusive(BLOCKED);
    if (isSuccess(control)) return inconclusive(reason);
  }
  return undefined;
}

const ANY_CREDENTIAL = "Any credential is accepted, so a forged token proves nothing more.";
const ANY_SIGNATURE = "Any signature is accepted, so the way a token is forged makes no difference.";
