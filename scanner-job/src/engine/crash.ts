import type { Evidence, Location } from "@glovebox/contract";
import type { Suspect } from "../transport/crash-suspects.ts";
import { ProbeResponse, type ProbeRequest } from "../transport/exchange.ts";
import { responseOrNothing, NetworkError } from "../transport/network-error.ts";
import type { Transport } from "../transport/transport.ts";
import {
  inconclusive,
  type Check,
  type CrashCheck,
  type Subject,
  type TargetProfile,
  type Verdict,
} from "./check.ts";
import { evidenceOf } from "./evidence.ts";
import { calls } from "./reach.ts";
import { withoutResponse } from "./reasons.ts";
import { findingOf } from "./report.ts";
import type { Result } from "./result.ts";

/** Stands for the response to a request that had none. */
export const noResponse = (request: ProbeRequest): ProbeResponse =>
  new ProbeResponse({ request, status: 0, headers: {}, body: "No response." });

/** Confirms crashes at the end of the tests, and reports each route once. */
export class CrashReporter {
  readonly #check: CrashCheck | undefined;
  readonly #profile: TargetProfile;
  readonly #transport: Pick<Transport, "lostConnections" | "send">;
  readonly #examined = new Set<Suspect>();
  readonly #reported = new Set<string>();

  constructor(
    checks: readonly Check[],
    deps: {
      readonly profile: TargetProfile;
      readonly transport: Pick<Transport, "lostConnections" | "send">;
    },
  ) {
    this.#check = checks.find((check) => check.kind === "crash");
    this.#profile = deps.profile;
    this.#transport = deps.transport;
  }

  /** True where the target must not be sent any further tests. */
  areTooMany(): boolean {
    return this.#transport.lostConnections.isExhausted;
  }

  /** Sends each request that crashed the target once more, alone, after a like request that is harmless. */
  async confirm(): Promise<readonly Result[]> {
    const results: Result[] = [];
    for (const suspect of this.#transport.lostConnections.suspects) {
      if (!this.#check || this.#examined.has(suspect) || this.#reported.has(suspect.route)) continue;
      this.#examined.add(suspect);
      const result = await this.#examine(suspect, this.#check);
      if (result.finding) this.#reported.add(suspect.route);
      results.push(result);
    }
    return results;
  }

  /** The response to a like request that tests nothing; undefined where there is none. */
  async #controlOf({ operation }: Subject): Promise<ProbeResponse | undefined> {
    if (operation?.facts.method !== "GET") return undefined;
    const send = (request: ProbeRequest) => this.#transport.send(request, { share: false });
    return responseOrNothing(send, operation.request());
  }

  async #examine(suspect: Suspect, check: Check): Promise<Result> {
    const subject = subjectOf(suspect, this.#profile);
    const result = (verdict: Verdict): Result => ({ check, subject, verdict, reach: "failed" });
    try {
      const control = await this.#controlOf(subject);
      const { request, isDelayed } = suspect;
      const trial = await this.#transport.lostConnections.try(request, { control, isDelayed });
      if (trial.outcome !== "crashed") return result(inconclusive(UNCONFIRMED[trial.outcome]));
      const verdict = crashed(trial.response);
      const evidence = evidenceOfCrash(check, suspect, trial);
      return { ...result(verdict), finding: findingOf({ check, subject, verdict, evidence }, this.#profile) };
    } catch (error) {
      if (error instanceof NetworkError) return result(withoutResponse(error));
      throw error;
    }
  }
}

const crashed = (response: ProbeResponse | undefined): Verdict & { outcome: "fail" } => ({
  outcome: "fail",
  observed: response
    ? "Each time that this request was sent alone, twice, the target responded and then closed other connections or refused the next ones until it had restarted."
    : "Each time that this request was sent, three times, there was no response, and other connections or the next request were lost too, until the target had restarted.",
  instead: {},
});

const UNCONFIRMED = {
  responded: "The target crashed at a request during the scan, and responded to it at the end.",
  cut: "The connection was closed at a request each time, but the target went on responding.",
  away: "The target crashed at a request, and was not available when it was to be confirmed.",
};

function evidenceOfCrash(
  check: Check,
  { request }: Suspect,
  { control, response }: { readonly control: ProbeResponse; readonly response?: ProbeResponse | undefined },
): Evidence {
  const seen = response ?? noResponse(request);
  return evidenceOf(
    check,
    [
      { role: "control", request: control.request, response: control },
      { role: "attack", request, response: seen },
    ],
    [{ role: "attack", request, response: seen }],
  );
}

function subjectOf({ request, traits }: Suspect, { operations }: TargetProfile): Subject {
  const operation = operations.find((each) => calls(request, each));
  const location = operation?.location ?? locationOf(request);
  const [at, ...others] = new Set(
    traits.map((trait) => trait.at.replace(/^(query|header|body) (?!names$)/, "")),
  );
  const parameter = others.length === 0 && at !== undefined && !/^(path|.* names)$/.test(at) ? at : undefined;
  return {
    location: parameter === undefined ? location : { ...location, parameter },
    ...(operation ? { operation } : {}),
  };
}

const locationOf = ({ method, url }: ProbeRequest): Location => ({ method, path: new URL(url).pathname });
