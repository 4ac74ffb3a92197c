import type { ScanOrder } from "@glovebox/contract";
import type { Demo } from "@glovebox/demo";

/** The order of a scan of the demo's shop, with its document. */
export const shopOrder = (
  { url, shopUrl }: Pick<Demo, "url" | "shopUrl">,
  terms: Pick<ScanOrder, "limits"> & Partial<ScanOrder>,
): ScanOrder => ({
  scanId: "shop",
  url: `${shopUrl}/`,
  spec: { from: "url", url: `${shopUrl}/openapi.json` },
  pins: [{ host: "127.0.0.1", addresses: ["127.0.0.1"], ports: [Number(new URL(url).port)] }],
  ...terms,
});
