// `npm run test:install [-- VITEST OPTIONS]`: installs, upgrades and uninstalls the chart on the cluster of KUBECONFIG by the
// README's commands, and scans (scripts/cluster-tests.mjs). It needs helm and curl, and a cluster where no Glovebox is. The
// images of `npm run images` must be loaded. GLOVEBOX_TEST_VALUES is a file of values, for example for the images of
// PostgreSQL and Redis where there is no registry.
import { isInstalled, runOnCluster } from "./cluster-tests.mjs";

if (isInstalled("helm", "version")) await runOnCluster({ project: "install" });
else {
  console.log("helm is not installed.");
  process.exitCode = 2;
}
