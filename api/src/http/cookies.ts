/** A cookie that only this origin gets, sets and reads (RFC 6265bis, section 4.1.3.2: the prefix `__Host-`). */
export interface HostCookie {
  readonly name: `__Host-${string}`;
  /** How long the browser keeps it. */
  readonly maxAgeSeconds: number;
}

/** The value of Set-Cookie. Lax, because the way back from an identity provider begins at another site. */
export const setCookie = ({ name, maxAgeSeconds }: HostCookie, value: string): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; Secure; HttpOnly; SameSite=Lax`;

export const clearCookie = ({ name }: HostCookie): string => setCookie({ name, maxAgeSeconds: 0 }, "");

/** The value of the cookie; undefined when there is none, or more than one: which of them is ours would be a guess. */
export function readCookie(header: string | undefined, { name }: HostCookie): string | undefined {
  const values = (header ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
  return values.length === 1 && values[0] !== "" ? values[0] : undefined;
}
