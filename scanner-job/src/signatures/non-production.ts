/** Host names in a text: those of addresses, and those that stand alone as in `Content-Security-Policy`. */
export function hostsIn(text: string): string[] {
  const found = text
    .slice(0, 16_384)
    .matchAll(
      /(?:[a-z][a-z\d+.-]{0,20}:\/\/|(?<=^|[\s,;])(?:\*\.)?)((?:[a-z\d-]{1,63}\.){1,8}[a-z]{2,24})(?=[:/\s,;?#]|$)/gi,
    );
  return [...new Set([...found].map(([, host]) => host!.toLowerCase()))];
}

/** True when a part of the host name says that it is not for production. A public sandbox is a product. */
export const isNonProduction = (host: string): boolean =>
  host
    .toLowerCase()
    .split(".")
    .slice(0, -1)
    .some((label) => NON_PRODUCTION.test(label)) || /\.(internal|local|corp|lan|intranet)$/i.test(host);

const NON_PRODUCTION =
  /^(.*-)?(stag(e|ing)|stg|dev(el(op(ment)?)?)?|qa|uat|pre-?prod(uction)?|non-?prod|testing|internal|integration)\d*(-.*)?$|^test(-.*)?$|.-test$/;
