/** Loaded into the cluster beforehand: `npm run images -- scanner-job` makes it. */
export const SCANNER_IMAGE =
  process.env["GLOVEBOX_TEST_SCANNER_IMAGE"] ?? "localhost/glovebox/scanner-job:dev";
