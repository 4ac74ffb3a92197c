import { exposures } from "../../../attacks/exposure.ts";
import { json, keys, page, titled } from "../../../signatures/content.ts";
import { isObject, member } from "../../../json.ts";

export const frameworkExposures = exposures(
  {
    group: "Debugging tools of PHP, Python and Ruby",
    cwe: 489,
    description:
      "A development or debugging tool is accessible without credentials. An attacker can read requests, queries and settings, and with some of these tools execute code.",
    remediation:
      "Disable development tools in production, and require administrator credentials for the others.",
  },
  [
    {
      name: "phpinfo",
      title: "PHP configuration exposed (phpinfo)",
      severity: "medium",
      product: "php",
      everywhere: true,
      paths: ["/phpinfo.php", "/info.php", "/i.php", "/test.php", "/php.php", "/phpinfo"],
      content: page("the PHP configuration", /<title>[^<]{0,80}phpinfo\(\)<\/title>|PHP Version <\/td>/i),
    },
    {
      name: "laravel-telescope",
      title: "Laravel Telescope exposed",
      severity: "high",
      product: "laravel",
      paths: ["/telescope/requests", "/telescope"],
      content: titled("Laravel Telescope", /telescope/i),
    },
    {
      name: "laravel-horizon",
      title: "Laravel Horizon exposed",
      severity: "medium",
      product: "laravel",
      paths: ["/horizon/api/stats", "/horizon/dashboard"],
      content: keys("jobsPerMinute", "processes"),
    },
    {
      name: "laravel-log-viewer",
      title: "Log viewer exposed",
      severity: "high",
      product: "laravel",
      paths: ["/log-viewer", "/log-viewer/logs", "/logs"],
      content: titled("a log viewer", /log ?viewer/i),
    },
    {
      name: "laravel-ignition",
      title: "Laravel error page with commands exposed (Ignition)",
      severity: "high",
      product: "laravel",
      paths: ["/_ignition/health-check"],
      content: json(
        "JSON that reports that commands can be executed",
        (value) => member(value, "can_execute_commands") === true,
      ),
    },
    {
      name: "php-debugbar",
      title: "PHP debug bar exposed",
      severity: "high",
      product: "php",
      paths: ["/_debugbar/open", "/_debugbar/open?op=find"],
      content: json(
        "JSON with requests of other clients",
        (value) =>
          Array.isArray(value) &&
          value.some((row) => isObject(row) && "datetime" in row && "uri" in row && "method" in row),
      ),
    },
    {
      name: "clockwork",
      title: "Clockwork exposed",
      severity: "high",
      product: "php",
      paths: ["/__clockwork/latest", "/clockwork/latest", "/__clockwork/app"],
      content: json(
        "JSON with a request of another client",
        (value) => isObject(value) && "uri" in value && "controller" in value && "responseDuration" in value,
      ),
    },
    {
      name: "symfony-profiler",
      title: "Symfony Profiler exposed",
      severity: "high",
      product: "symfony",
      paths: [
        "/_profiler/empty/search/results",
        "/_profiler/latest",
        "/app_dev.php/_profiler/",
        "/_profiler/",
      ],
      content: page("the Symfony profiler", /Symfony Profiler/i),
    },
    {
      name: "werkzeug-console",
      title: "Interactive console exposed (Werkzeug)",
      severity: "critical",
      product: "flask",
      everywhere: true,
      paths: ["/console", "/_console"],
      content: page(
        "the Werkzeug interactive console",
        /Interactive Console|EVALEX\s*=\s*true/,
        /__debugger__/,
      ),
    },
    {
      name: "django-debug-toolbar",
      title: "Django debug tools exposed",
      severity: "medium",
      product: "django",
      paths: ["/__debug__/", "/silk/"],
      content: page("a Django debugging tool", /djDebug|<title>[^<]{0,20}Silky/),
    },
    {
      name: "flask-dashboard",
      title: "Flask monitoring exposed",
      severity: "medium",
      product: "flask",
      paths: ["/dashboard/overview", "/flask-profiler/"],
      content: page("a Flask monitor", /Flask[ -](Monitoring ?Dashboard|Profiler)/i),
    },
    {
      name: "rails-info",
      title: "Rails information exposed",
      severity: "medium",
      product: "rails",
      paths: ["/rails/info/properties", "/rails/info/routes"],
      content: page(
        "Rails information",
        /Rails version|Rails Info/,
        /Rails root|Middleware|Controller#Action/,
      ),
    },
    {
      name: "rails-mail-preview",
      title: "Mail previews exposed (Rails)",
      severity: "medium",
      product: "rails",
      paths: ["/letter_opener", "/rails/mailers"],
      content: page(
        "emails sent by the application",
        /LetterOpenerWeb|<title>[^<]{0,20}(Letter Opener|Mailer Previews)/i,
      ),
    },
    {
      name: "rails-consoles",
      title: "Job administration exposed (Sidekiq, Resque, GoodJob)",
      severity: "high",
      product: "rails",
      paths: ["/sidekiq", "/resque", "/good_job", "/jobs"],
      content: titled("a job administration page", /sidekiq|^\s*resque|good ?job|mission control/i),
    },
    {
      name: "rails-data-consoles",
      title: "Database console exposed (PgHero, Blazer)",
      severity: "high",
      product: "rails",
      paths: ["/pghero", "/blazer", "/flipper"],
      content: titled("a database console", /pghero|blazer|flipper/i),
    },
    {
      name: "celery-flower",
      title: "Task administration exposed (Flower, RQ)",
      severity: "high",
      product: "python",
      paths: ["/flower/", "/flower", "/rq"],
      content: titled("a task administration page", /^flower|rq dashboard/i),
    },
  ],
);
