import { defineBypass, type Variant } from "../../attacks/bypass.ts";
import { disguised } from "../../attacks/bypasses.ts";
import { isAdministrative } from "../../attacks/purpose.ts";
import { rolesOf, sentAnonymously, sentAs, type Roles } from "../../attacks/roles.ts";
import { guardedReadsByPrivilege } from "../../attacks/subjects.ts";
import { versionOf, versionVariants } from "../../attacks/version-variants.ts";
import type { Subject } from "../../engine/check.ts";
import type { Probe } from "../../engine/probe.ts";
import type { Operation } from "../../inventory/operation.ts";
import { isDenied, isSuccess } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { holdSameData } from "../../oracles/same-data.ts";
import type { ProbeRequest, ProbeResponse } from "../../transport/exchange.ts";

interface RefusedRead extends Subject {
  readonly operation: Operation;
  readonly caller: string;
  readonly roles: Roles;
}

export default defineBypass<RefusedRead>({
  id: "bfla-authorization/role-check-bypass",
  category: "bflaAuthorization",
  title: "Vertical privilege escalation: role check bypassed by method, path or version",
  severity: { default: "high", financial: "critical", medical: "critical" },
  confidence: "confirmed",
  description:
    "The operation refuses a regular user, but returns the administrator's data to the same user once the method, the path or the version of the request is changed. The role is checked for one form of the request only.",
  rule: "A read that refuses the user returns to the user the data that the administrator gets, with another spelling of the path, a path in a header, another version or another name of the area; or an export beside it, which no document describes, returns to the user what it returns to the administrator; or the read accepts HEAD.",
  control:
    "The user is refused without the change every time, and the same change of a nonexistent path gets a different response.",
  remediation:
    "Check the role in the application and next to the operation instead of by path rules in front of it, for all methods, versions and spellings of a path.",
  references: {
    cwe: 863,
    owasp: "API5:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:L/UI:N/VC:H/VI:L/VA:N/SC:N/SI:N/SA:N",
  },
  cost: 6,

  subjects(profile): RefusedRead[] {
    const roles = rolesOf(profile);
    if (!roles) return [];
    return guardedReadsByPrivilege(profile).map((operation) => ({
      operation,
      location: operation.location,
      caller: roles.user,
      roles,
    }));
  },
  prior: ({ operation }) => (isAdministrative(operation.facts) ? 3 : 1),
  notApplicable:
    "The scan has no identities of an administrator and of a user, or every read is open to anonymous callers.",

  async variants({ operation, roles }, refused, probe) {
    const asAdmin = sentAs(refused.request, roles.admin);
    const admin = await probe.control(asAdmin);
    if (!isSuccess(admin)) return [];
    const hasAdminsData = async (response: ProbeResponse): Promise<boolean> =>
      holdSameData(response, admin, await probe.again(asAdmin));
    const version = versionOf(operation);
    const versions = version > 0 ? [version - 1, version - 2, version + 1].filter((each) => each >= 1) : [];
    const reading = [
      ...versionVariants(operation, refused, { probe, versions }),
      ...otherAreas(operation, refused, probe),
      ...disguised(refused, probe),
    ];
    return [
      ...reading.map((variant) => ({
        ...variant,
        isProven: async (response: ProbeResponse) =>
          (await hasAdminsData(response)) && variant.isProven(response),
      })),
      ...hiddenExports(operation, { refused, roles }, probe),
      ...withHead(operation, refused, probe),
    ];
  },
});

const AREA = /(?<=\/)(admin|administration|administrator)(?=\/)/i;
const OTHER_AREAS = ["internal", "management", "backoffice"];

/** The same path below another name of the administration. */
const otherAreas = ({ location }: Operation, { request }: ProbeResponse, probe: Probe): Variant[] =>
  !AREA.test(request.url)
    ? []
    : OTHER_AREAS.map((area) => {
        const changed = { ...request, url: request.url.replace(AREA, area) };
        return {
          label: `\`/${area}/\` in the path`,
          request: changed,
          isProven: async (response) => !isNoBetterThan(await probe.missing(changed), response),
          observe: ({ status }) => ({
            observed: `\`/${area}/\` in the path returned status ${status} with the administrator's data.`,
            location: { ...location, path: location.path.replace(AREA, area) },
          }),
        };
      });

const EXPORTS = ["export", "download", "all"];

/** What often stands beside a list and is in no document. Its form is another than the list's, so the administrator is asked for it. */
function hiddenExports(
  { facts, location, idParameter }: Operation,
  { refused: { request }, roles }: { refused: ProbeResponse; roles: Roles },
  probe: Probe,
): Variant[] {
  if (idParameter || !isAdministrative(facts)) return [];
  return EXPORTS.map((name) => {
    const changed = { ...request, url: `${request.url.replace(/\?.*/, "").replace(/\/$/, "")}/${name}` };
    return {
      label: `\`/${name}\` after the path`,
      request: changed,
      isProven: async (response) => {
        const admin = await probe.control(sentAs(changed, roles.admin));
        return (
          response.body !== "" &&
          holdSameData(response, admin, await probe.again(sentAs(changed, roles.admin))) &&
          !isSuccess(await probe.control(sentAnonymously(changed))) &&
          !isNoBetterThan(await probe.missing(changed), response)
        );
      },
      observe: ({ status, body }) => ({
        observed: `\`/${name}\` after the path returned status ${status} with ${body.length} characters of data.`,
        location: { ...location, path: `${location.path.replace(/\/$/, "")}/${name}` },
        confidence: "firm",
      }),
    };
  });
}

/** HEAD shows that the handler was reached, and nothing of its data. */
function withHead({ location }: Operation, { request, status }: ProbeResponse, probe: Probe): Variant[] {
  // A refusal that only its text shows cannot be told from a success without one.
  if (status < 400) return [];
  const head: ProbeRequest = { ...request, method: "HEAD" };
  return [
    {
      label: "HEAD",
      request: head,
      isAccepted: (response) => isSuccess(response) && response.mediaType !== "text/html",
      isProven: async () => !isSuccess(await probe.missing(head)) && !isDenied(await probe.again(head)),
      observe: (response) => ({
        observed: `HEAD returned status ${response.status}, where GET refuses the user.`,
        severity: "low",
        confidence: "firm",
        location: { ...location, method: "HEAD" },
      }),
    },
  ];
}
