/** True when the value of Accept-Encoding names the encoding, and not with a quality of 0 (RFC 9110, section 12.5.3). */
export const accepts = (header: string | undefined, encoding: string): boolean =>
  (header ?? "").split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === encoding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
