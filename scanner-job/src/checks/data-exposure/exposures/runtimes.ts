import { exposures } from "../../../attacks/exposure.ts";
import { either, json, keys, page, text, titled } from "../../../signatures/content.ts";
import { isObject, member } from "../../../json.ts";

export const runtimeExposures = exposures(
  {
    group: "Debugging tools of .NET, Go, Node.js and Elixir",
    cwe: 489,
    description:
      "A development or debugging tool is accessible without credentials. An attacker can read requests, queries and settings, and with some of these tools execute code.",
    remediation:
      "Disable development tools in production, and require administrator credentials for the others.",
  },
  [
    {
      name: "elmah",
      title: "Error log exposed (ELMAH)",
      severity: "high",
      product: "dotnet",
      paths: ["/elmah.axd", "/elmah", "/admin/elmah.axd"],
      content: page("an ASP.NET error log", /Error Log for/i),
    },
    {
      name: "aspnet-trace",
      title: "ASP.NET trace exposed",
      severity: "high",
      product: "dotnet",
      paths: ["/trace.axd"],
      content: page("request traces", /Application Trace|Requests to this Application/i),
    },
    {
      name: "mini-profiler",
      title: "MiniProfiler exposed",
      severity: "medium",
      product: "dotnet",
      paths: ["/mini-profiler-resources/results-index", "/profiler/results-index", "/profiler/results"],
      content: page("request profiles", /MiniProfiler/i),
    },
    {
      name: "hangfire",
      title: "Hangfire dashboard exposed",
      severity: "high",
      product: "dotnet",
      paths: ["/hangfire", "/jobs/hangfire"],
      content: titled("Hangfire", /hangfire/i),
    },
    {
      name: "servicestack-logs",
      title: "Request log exposed (ServiceStack)",
      severity: "high",
      product: "dotnet",
      paths: ["/requestlogs?format=json", "/api/requestlogs?format=json"],
      content: json(
        "JSON with requests of other clients",
        (value) =>
          Array.isArray(member(value, "results") ?? member(value, "Results")) &&
          isObject(member(value, "usage") ?? member(value, "Usage")),
      ),
    },
    {
      name: "health-ui",
      title: "Health dashboard exposed (.NET)",
      severity: "low",
      product: "dotnet",
      paths: ["/healthchecks-api", "/healthchecks-ui"],
      content: either(
        json(
          "JSON with checks and their addresses",
          (value) =>
            Array.isArray(value) && value.some((row) => isObject(row) && "entries" in row && "uri" in row),
        ),
        titled("health checks", /health ?checks/i),
      ),
    },
    {
      name: "pprof",
      title: "Go profiler exposed (pprof)",
      severity: "medium",
      product: "go",
      paths: ["/debug/pprof/", "/debug/pprof", "/pprof/"],
      content: page("a Go process profiler", /debug\/pprof|pprof/, /goroutine/),
    },
    {
      name: "pprof-goroutines",
      title: "Go goroutines exposed",
      severity: "medium",
      product: "go",
      large: true,
      paths: ["/debug/pprof/goroutine?debug=1", "/debug/pprof/heap?debug=1"],
      content: text("a Go process profile", /^(goroutine|heap) profile: /),
    },
    {
      name: "expvar",
      title: "Go process variables exposed (expvar)",
      severity: "medium",
      product: "go",
      everywhere: true,
      paths: ["/debug/vars"],
      content: keys("cmdline", "memstats"),
    },
    {
      name: "go-requests",
      title: "Go request traces exposed",
      severity: "medium",
      product: "go",
      paths: ["/debug/requests", "/debug/events", "/debug/statsviz/"],
      content: page(
        "Go process traces",
        /<title>[^<]{0,20}(\/debug\/(requests|events)|statsviz)|Requests?<\/h1>[\s\S]{0,2000}Traces/i,
      ),
    },
    {
      name: "node-inspector",
      title: "Node.js inspector exposed",
      severity: "critical",
      product: "node",
      paths: ["/json/list", "/json/version", "/json"],
      content: text("JSON with a debugger address", /^\s*[[{]/, /"webSocketDebuggerUrl"\s*:/),
    },
    {
      name: "express-status",
      title: "Process monitor exposed (Express)",
      severity: "low",
      product: "node",
      paths: ["/status", "/express-status"],
      content: titled("a Node.js process monitor", /^(express|node) status/i),
    },
    {
      name: "node-queues",
      title: "Queue administration exposed (Bull, Arena, Agenda)",
      severity: "high",
      product: "node",
      paths: ["/admin/queues", "/bull-board", "/queues", "/arena", "/agendash", "/dash"],
      content: titled("a queue administration page", /bull ?(dashboard|board)|^arena|agendash/i),
    },
    {
      name: "phoenix-dashboard",
      title: "Phoenix LiveDashboard exposed",
      severity: "high",
      product: "elixir",
      paths: ["/phoenix/live_dashboard", "/dashboard/home", "/dev/dashboard/home"],
      content: titled("Phoenix LiveDashboard", /livedashboard|phoenix live/i),
    },
    {
      name: "sent-mail",
      title: "Sent mail exposed (development mailbox)",
      severity: "high",
      product: "elixir",
      paths: ["/dev/mailbox", "/mailhog/", "/mailpit/"],
      content: titled("emails sent by the application", /mailbox|mailhog|mailpit/i),
    },
  ],
);
