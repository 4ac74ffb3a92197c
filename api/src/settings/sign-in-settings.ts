import { optional, setting } from "@glovebox/settings";

/** The settings of the dashboard's sign-in (docs/sign-in.md). */
export const SIGN_IN_SETTINGS = {
  publicUrl: setting({
    variable: "GLOVEBOX_PUBLIC_URL",
    type: "https:// URL",
    description:
      "Address that browsers use, without a path. Needed to sign in, unless the API listens on loopback only; http:// is " +
      "accepted for localhost.",
    parse: optional(parseOrigin),
  }),
};

/** @throws Error with the expected format */
function parseOrigin(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (!url || !isWeb || url.href !== `${url.origin}/`)
    throw new Error("must be an address without a path, such as https://glovebox.example.com");
  return url;
}
