import type { Check } from "../../engine/check.ts";
import certificate from "./certificate.ts";
import certificateExpiresSoon from "./certificate-expires-soon.ts";
import cookieSecure from "./cookie-secure.ts";
import hsts from "./hsts.ts";
import httpAddressesInDocument from "./http-addresses-in-document.ts";
import plainHttp from "./plain-http.ts";
import weakCipher from "./weak-cipher.ts";
import weakProtocol from "./weak-protocol.ts";

export const encryptionChecks: readonly Check[] = [
  certificate,
  certificateExpiresSoon,
  weakProtocol,
  weakCipher,
  plainHttp,
  hsts,
  cookieSecure,
  httpAddressesInDocument,
];
