import { defineBaselineRow } from "../../attacks/baseline-row.ts";
import { inconclusive, pass } from "../../engine/check.ts";
import { BLOCKED, isBlocked } from "../../oracles/classify.ts";
import type { ProbeResponse } from "../../transport/exchange.ts";

export default defineBaselineRow({
  id: "data-exposure/version-disclosure",
  category: "dataExposure",
  title: "Server software version disclosure",
  severity: "info",
  confidence: "confirmed",
  description:
    "Responses disclose the software version of the server. An attacker can look up known vulnerabilities of this version.",
  rule: "`Server`, `X-Powered-By` or a similar header contains a product with its version.",
  remediation:
    "Configure the server and the framework not to send version banners, and keep both up to date.",
  references: { cwe: 200, owasp: "API8:2023" },
  samples: 4,
  weaknessIn(response) {
    const banners = isBlocked(response) ? [] : versionsIn(response);
    return banners.length > 0 ? `Seen: ${banners.join("; ")}.` : undefined;
  },
  otherwise: (responses) => (responses.every(isBlocked) ? inconclusive(BLOCKED) : pass()),
});

const BANNERS = ["server", "x-powered-by", "x-aspnet-version", "x-aspnetmvc-version", "x-generator"];

const versionsIn = ({ headers }: ProbeResponse): string[] =>
  BANNERS.flatMap((name) => {
    const value = (headers[name] ?? "").slice(0, 80);
    const isVersion =
      /[a-z][\w. -]*[/ ]v?\d+\.\d/i.test(value) || (name.endsWith("-version") && /^\d/.test(value));
    return isVersion ? [`${name}: ${value}`] : [];
  });
