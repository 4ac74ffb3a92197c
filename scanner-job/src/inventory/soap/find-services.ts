import type { Calibration } from "../../oracles/not-found.ts";
import { readOf, type ProbeRequest, type ProbeResponse } from "../../transport/exchange.ts";
import { responseOrNothing } from "../../transport/network-error.ts";
import type { OperationFacts } from "../operation.ts";
import { soapOperations } from "./wsdl.ts";

const COMMON = ["/soap", "/ws", "/services", "/service", "/api/soap", "/webservice"];
const MAX_ADDRESSES = 12;

/**
 * The operations of SOAP services: of those whose description (`?wsdl`) is at the target's address, at addresses that are named
 * like services, or at the common ones.
 */
export async function findSoapServices(
  {
    send,
    target,
    calibration,
  }: {
    readonly send: (request: ProbeRequest) => Promise<ProbeResponse>;
    readonly target: URL;
    readonly calibration: Pick<Calibration, "deniesEverything">;
  },
  known: readonly Pick<OperationFacts, "base" | "path">[],
): Promise<OperationFacts[]> {
  if (calibration.deniesEverything) return [];
  const found = new Map<string, OperationFacts>();
  for (const path of addressesOf(target, known)) {
    const url = new URL(`${target.origin}${path}?wsdl`);
    const response = await responseOrNothing(send, readOf(url.href));
    for (const facts of response?.status === 200 ? soapOperations(response.body, url) : [])
      found.set(`${facts.path} ${facts.soapOperation}`, facts);
  }
  return [...found.values()];
}

function addressesOf(target: URL, known: readonly Pick<OperationFacts, "base" | "path">[]): string[] {
  const named = known
    .map(({ base, path }) => base + path)
    .filter((path) => !path.includes("{") && NAMED.test(path));
  const own = target.pathname.replace(/\/+$/, "");
  const common = [...new Set(["", own])].flatMap((base) => COMMON.map((path) => base + path));
  return [...new Set([target.pathname, ...named, ...common])].slice(0, MAX_ADDRESSES);
}

const NAMED = /(soap|wsdl|\.asmx|\.svc|services?|\/ws)\/?$/i;
