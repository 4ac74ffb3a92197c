import { defineCheck, fail, inconclusive, pass, type Subject, type Verdict } from "../../engine/check.ts";
import { workingResponse, overTls } from "../../attacks/subjects.ts";
import type { Probe } from "../../engine/probe.ts";
import { areSimilar } from "../../oracles/similarity.ts";
import { NetworkError } from "../../transport/network-error.ts";
import { readOf, type ProbeResponse } from "../../transport/exchange.ts";

interface PlainPort extends Subject {
  readonly port: string;
}

export default defineCheck({
  id: "encryption/plain-http",
  kind: "differential",
  category: "encryption",
  title: "Cleartext HTTP transport",
  severity: "high",
  confidence: "confirmed",
  description:
    "The API returns the same responses over plain HTTP as over HTTPS. An attacker on the network path can read and modify the traffic, including credentials.",
  rule: "A read over `http:` succeeds and returns the same content as over `https:`.",
  control: "The same read over `https:`.",
  remediation: "Redirect plain HTTP to HTTPS; for an API, closing the port is best.",
  references: {
    cwe: 319,
    owasp: "API8:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:P/PR:N/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: (profile) => {
    const { port } = profile.target;
    // Some servers take both on one port; the standard port has a standard neighbour, others have none.
    const ports = port === "" ? ["80", "443"] : [port];
    return overTls(profile).flatMap(({ location }) =>
      ports.map((each): PlainPort => ({ location, port: each })),
    );
  },
  notApplicable: "The target is not reached over TLS.",

  async examine({ port }, probe) {
    const working = await workingResponse(probe);
    const secure = await probe.control(working?.request ?? readOf(probe.profile.target.href));
    const url = new URL(secure.request.url.replace(/^https:/, "http:"));
    url.port = port;
    const plain = await responseOrSilence(probe, url);
    return plain === undefined ? pass() : compare(plain, secure, working !== undefined);
  },
});

/** undefined where nothing responds in HTTP. */
async function responseOrSilence(probe: Probe, url: URL): Promise<ProbeResponse | undefined> {
  try {
    return await probe.attack(readOf(url.href));
  } catch (error) {
    if (error instanceof NetworkError && ["refused", "reset", "cut", "protocol"].includes(error.kind))
      return undefined;
    throw error;
  }
}

function compare(plain: ProbeResponse, secure: ProbeResponse, isWorking: boolean): Verdict {
  if (plain.status >= 300 && plain.status < 500) return pass();
  if (plain.status >= 500) return inconclusive(`Plain HTTP returned status ${plain.status}.`);
  if (!isWorking)
    return inconclusive("No read succeeds over HTTPS, so there is no baseline to compare with.");
  return areSimilar(plain, secure)
    ? fail(`Port ${new URL(plain.request.url).port || "80"} responded without TLS.`)
    : inconclusive("Plain HTTP gets a different response than HTTPS.");
}
