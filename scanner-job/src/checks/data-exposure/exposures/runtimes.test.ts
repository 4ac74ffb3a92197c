import { pageOf, testExposures } from "../../../testing/test-exposures.ts";
import { runtimeExposures } from "./runtimes.ts";

testExposures(runtimeExposures, {
  elmah: [pageOf("Error Log for app"), pageOf("Errors")],
  "aspnet-trace": [pageOf("Trace", "Application Trace"), pageOf("Trace")],
  "mini-profiler": [pageOf("List of profiling sessions", "MiniProfiler"), pageOf("Profiles")],
  hangfire: [pageOf("Overview – Hangfire Dashboard"), pageOf("Overview")],
  "servicestack-logs": [{ results: [], usage: {} }, { results: [] }],
  "health-ui": [[{ name: "a", uri: "/health", entries: [] }], [{ name: "a" }]],
  pprof: [pageOf("/debug/pprof/", '<a href="goroutine?debug=1">goroutine</a>'), pageOf("/debug/pprof/")],
  "pprof-goroutines": ["goroutine profile: total 3\n", "goroutines: 3\n"],
  expvar: [{ cmdline: ["/app"], memstats: {} }, { cmdline: ["/app"] }],
  "go-requests": [pageOf("/debug/requests"), pageOf("Requests")],
  "node-inspector": [[{ webSocketDebuggerUrl: "ws://127.0.0.1:9229/a" }], [{ url: "ws://127.0.0.1/" }]],
  "express-status": [pageOf("Express Status"), pageOf("Status: all systems work")],
  "node-queues": [pageOf("Bull Dashboard"), pageOf("Queues")],
  "phoenix-dashboard": [pageOf("Phoenix LiveDashboard"), pageOf("Phoenix, Arizona")],
  "sent-mail": [pageOf("Swoosh Mailbox"), pageOf("Mail")],
});
