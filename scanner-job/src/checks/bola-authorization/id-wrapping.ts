import { defineBypass } from "../../attacks/bypass.ts";
import { isSuccess } from "../../oracles/classify.ts";
import { isNoBetterThan } from "../../oracles/not-found.ts";
import { guardedObjectReads } from "../../attacks/subjects.ts";
import type { ProbeRequest } from "../../transport/exchange.ts";

/** Ways to write the same object so that a guard does not see it: of its path, or of its id in the query. */
const DISGUISES: readonly { readonly label: string; readonly of: (url: URL, name: string) => string }[] = [
  { label: "`.json` after the ID", of: ({ pathname }) => `${pathname}.json` },
  { label: "a slash after the ID", of: ({ pathname }) => `${pathname}/` },
  {
    label: "the path in another case",
    of: ({ pathname }) => withoutId(pathname).toUpperCase() + idOf(pathname),
  },
  {
    label: "an encoded letter in the path",
    of: ({ pathname }) => encodedLetter(withoutId(pathname)) + idOf(pathname),
  },
  {
    label: "the ID twice in the query",
    of: ({ pathname }, name) => `${pathname}?${name}=${idOf(pathname)}&${name}=${idOf(pathname)}`,
  },
  {
    label: "the ID as a list in the query",
    of: ({ pathname }, name) => `${pathname}?${name}[]=${idOf(pathname)}`,
  },
];

export default defineBypass({
  id: "bola-authorization/id-wrapping",
  category: "bolaAuthorization",
  title: "Object authorization bypass by parameter wrapping or pollution",
  severity: "high",
  confidence: "confirmed",
  description:
    "The access control and the handler parse the request differently: an object that requires credentials is returned when its ID or path is written in an equivalent form. An unauthenticated attacker can read it.",
  rule: "The object is refused in its canonical form and returned in an equivalent one.",
  control:
    "The canonical form is refused, and a nonexistent ID in the same equivalent form does not return an object.",
  remediation:
    "Authorize in the handler, on the loaded object, instead of by path patterns, and reject paths that are not in canonical form.",
  references: {
    cwe: 639,
    owasp: "API1:2023",
    cvss: "CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:N/VA:N/SC:N/SI:N/SA:N",
  },

  subjects: guardedObjectReads,
  notApplicable: "No operation that requires credentials reads an object by its ID.",

  async variants(operation, { request }, probe) {
    const { name } = operation.idParameter!;
    const nobody = await probe.withNoObject(operation);
    return DISGUISES.map(({ label, of }) => ({
      label,
      request: rewritten(request, of, name),
      async isProven(response) {
        const none = await probe.control(rewritten(nobody, of, name));
        const missing = await probe.missing(rewritten(request, of, name));
        return !isSuccess(none) && !isNoBetterThan(missing, response);
      },
    }));
  },
});

const rewritten = (
  request: ProbeRequest,
  of: (url: URL, name: string) => string,
  name: string,
): ProbeRequest => {
  const url = new URL(request.url);
  return { ...request, url: new URL(of(url, encodeURIComponent(name)), url.origin).href };
};

const idOf = (pathname: string): string => pathname.split("/").at(-1)!;
const withoutId = (pathname: string): string => pathname.slice(0, pathname.lastIndexOf("/") + 1);
/** The last letter before the id, as `%6C` for `l`. */
const encodedLetter = (path: string): string =>
  path.replace(/[a-z](?=\/$)/, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`);
