/** True when Accept-Encoding (RFC 9110, section 12.5.3) names the coding, and not with a quality of 0. */
export const accepts = (header: string | undefined, coding: string): boolean =>
  header !== undefined &&
  header.split(",").some((item) => {
    const [name, ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
