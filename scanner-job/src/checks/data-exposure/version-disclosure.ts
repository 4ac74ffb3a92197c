import { defineCheck, fail, inconclusive, pass } from "../../engine/check.ts";
import { BLOCKED, isBlocked } from "../../oracles/classify.ts";
import { ordinaryReplies, theHost } from "../../attacks/subjects.ts";
import type { Reply } from "../../transport/exchange.ts";

export default defineCheck({
  id: "data-exposure/version-disclosure",
  category: "dataExposure",
  title: "Server software version disclosure",
  severity: "info",
  confidence: "confirmed",
  description:
    "Answers name the version of the server's software. An attacker can look up its known weaknesses without a single further request.",
  rule: "`Server`, `X-Powered-By` or a header like them has a product with its version.",
  control: "None: the header itself is the proof.",
  remediation: "Configure the server and the framework to send no banner, and keep both up to date.",
  references: { cwe: 200, owasp: "API8:2023" },
  passive: true,

  subjects: theHost,
  notApplicable: "This check applies to every target.",

  observe(reply, { profile }) {
    const banners = versionsIn(reply);
    if (banners.length === 0) return undefined;
    return { observed: `Seen: ${banners.join("; ")}.`, location: profile.host.location };
  },

  async examine(_, probe) {
    let isHeard = false;
    for await (const reply of ordinaryReplies(probe, 4)) {
      if (isBlocked(reply)) continue;
      isHeard = true;
      const banners = versionsIn(reply);
      if (banners.length > 0) return fail(`Seen: ${banners.join("; ")}.`);
    }
    return isHeard ? pass() : inconclusive(BLOCKED);
  },
});

const BANNERS = ["server", "x-powered-by", "x-aspnet-version", "x-aspnetmvc-version", "x-generator"];

const versionsIn = ({ headers }: Reply): string[] =>
  BANNERS.flatMap((name) => {
    const value = (headers[name] ?? "").slice(0, 80);
    const isVersion =
      /[a-z][\w. -]*[/ ]v?\d+\.\d/i.test(value) || (name.endsWith("-version") && /^\d/.test(value));
    return isVersion ? [`${name}: ${value}`] : [];
  });
