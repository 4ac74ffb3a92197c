import { pageOf, testExposures } from "../../../testing/test-exposures.ts";
import { frameworkExposures } from "./frameworks.ts";

testExposures(frameworkExposures, {
  phpinfo: [pageOf("PHP 8.3.1 - phpinfo()"), pageOf("About PHP")],
  "laravel-telescope": [pageOf("Telescope - App"), pageOf("App")],
  "laravel-horizon": [{ jobsPerMinute: 3, processes: 1 }, { processes: 1 }],
  "laravel-log-viewer": [pageOf("Log Viewer"), pageOf("Log in", '<input type="password">')],
  "laravel-ignition": [{ can_execute_commands: true }, { can_execute_commands: false }],
  "php-debugbar": [[{ id: "X", datetime: "2026", method: "GET", uri: "/" }], []],
  clockwork: [{ id: "1", uri: "/", controller: "A@b", responseDuration: 3 }, { uri: "/" }],
  "symfony-profiler": [pageOf("Symfony Profiler"), pageOf("Profiles")],
  "werkzeug-console": [
    pageOf("Console", "<h1>Interactive Console</h1><script src='?__debugger__=yes'></script>"),
    pageOf("Interactive Console"),
  ],
  "django-debug-toolbar": [pageOf("Debug", '<div id="djDebug"></div>'), pageOf("Debug")],
  "flask-dashboard": [pageOf("Flask Monitoring Dashboard"), pageOf("Overview")],
  "rails-info": [pageOf("Rails", "<td>Rails version</td><td>Rails root</td>"), pageOf("Rails")],
  "rails-mail-preview": [pageOf("Letter Opener"), pageOf("Letters")],
  "rails-consoles": [pageOf("Sidekiq"), pageOf("Log in to Sidekiq", '<input type="password">')],
  "rails-data-consoles": [pageOf("PgHero / app"), pageOf("Heroes")],
  "celery-flower": [pageOf("Flower"), pageOf("Wild Flowers of Wales")],
});
