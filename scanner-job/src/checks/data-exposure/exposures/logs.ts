import { exposures } from "../../../attacks/exposure.ts";
import { repeated, text } from "../../../signatures/content.ts";

export const logExposures = exposures(
  {
    group: "Log files",
    cwe: 532,
    description:
      "A log file of the server is public. An attacker can read user activity, and often tokens, personal data and stack traces.",
    remediation: "Store logs outside the web root, and do not log credentials.",
  },
  [
    {
      name: "access-log",
      title: "Access log exposed",
      severity: "medium",
      everywhere: true,
      paths: ["/access.log", "/logs/access.log", "/log/access.log", "/access_log"],
      content: repeated(
        "a request log",
        3,
        /^[\da-f.:]{2,45} \S{1,60} \S{1,60} \[[^\]\n]{10,40}\] "[A-Z]{3,10} [^"\n]{1,2000}" \d{3} [\d-]+/gim,
      ),
    },
    {
      name: "application-log",
      title: "Application log exposed",
      severity: "medium",
      everywhere: true,
      paths: [
        "/logs/app.log",
        "/app.log",
        "/logs/error.log",
        "/debug.log",
        "/logs/debug.log",
        "/server.log",
        "/logs/application.log",
        "/logs/combined.log",
      ],
      content: repeated(
        "an application log",
        3,
        /^(?:\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^\n]{0,60}?\b(?:INFO|WARN(?:ING)?|ERROR|DEBUG|FATAL|TRACE)\b|\{"(?:level|time|timestamp)":[^\n]{1,200}"(?:msg|message)":)/gim,
      ),
    },
    {
      name: "error-log",
      title: "Error log exposed",
      severity: "medium",
      paths: ["/error.log", "/error_log", "/logs/error_log", "/php_errors.log", "/php-error.log"],
      content: repeated(
        "an error log",
        2,
        /^\[[^\]\n]{10,60}\] (?:\[[\w:]{2,40}\]|PHP (?:Warning|Fatal error|Notice|Deprecated|Parse error):)|^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \[(?:error|warn|crit)\]/gm,
      ),
    },
    {
      name: "laravel-log",
      title: "Laravel log exposed",
      severity: "high",
      product: "laravel",
      paths: ["/storage/logs/laravel.log", "/laravel.log"],
      content: text(
        "a Laravel log",
        /^\[\d{4}-\d\d-\d\d[^\]\n]{5,30}\] \w{2,30}\.(ERROR|INFO|WARNING|DEBUG|CRITICAL|ALERT|NOTICE):/m,
      ),
    },
    {
      name: "rails-log",
      title: "Rails log exposed",
      severity: "high",
      product: "rails",
      paths: ["/log/production.log", "/log/development.log", "/production.log", "/development.log"],
      content: text(
        "a Rails log",
        /Started (GET|POST|PUT|PATCH|DELETE) "[^"\n]{1,500}" for /,
        /Processing by \w/,
      ),
    },
    {
      name: "npm-log",
      title: "npm debug log exposed",
      severity: "low",
      paths: ["/npm-debug.log", "/yarn-error.log"],
      content: text("a package manager log", /^\d{1,5} (info|verbose|silly|error|stack) |^Arguments:\s*$/m),
    },
    {
      name: "wordpress-log",
      title: "WordPress debug log exposed",
      severity: "medium",
      product: "wordpress",
      paths: ["/wp-content/debug.log"],
      content: text("a PHP error log", /^\[\d\d-\w{3}-\d{4} [\d:]{8}[^\]\n]{0,30}\] PHP /m),
    },
  ],
);
