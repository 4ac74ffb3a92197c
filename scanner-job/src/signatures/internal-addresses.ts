/** Characters of a text that are looked through. */
const SEARCHED = 256 * 1024;

/**
 * Addresses of a private network (RFC 1918) and host names that only resolve inside one; at most 5, each once.
 * What a caller's own address may be (`"ip": "10.0.0.7"`) and versions of four numbers are left out.
 */
export function internalAddressesIn(text: string): string[] {
  const found = new Set<string>();
  for (const { 0: value, index } of text.slice(0, SEARCHED).matchAll(CANDIDATE)) {
    if (found.size < 5 && !ABOUT_THE_CALLER.test(text.slice(Math.max(0, index - 40), index)))
      found.add(value);
  }
  return [...found];
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const PRIVATE = `(?:10\\.${OCTET}|172\\.(?:1[6-9]|2\\d|3[01])|192\\.168)\\.${OCTET}\\.${OCTET}`;
const NAME = "(?:[a-z\\d][a-z\\d-]{0,62}\\.){1,6}(?:internal|local|corp|intranet|lan|localdomain)";
const CANDIDATE = new RegExp(
  `(?<![\\w.-])(?:${PRIVATE}(?![\\w-]|\\.\\d|/\\d)|(?<=//|//[^\\s/@"]{1,120}@|"host(?:name)?": ?")${NAME}(?![\\w.-]))`,
  "gi",
);
const ABOUT_THE_CALLER =
  /(client|remote|caller|visitor|forwarded|your|origin|peer|user)[\w-]{0,12}["']?\s*[:=]\s*["']?$|["'\s{](ip|ip_?addr(ess)?)["']?\s*[:=]\s*["']?$|version["']?\s*[:=]\s*["']?v?$|[\w]\/$|version\s+v?$/i;
