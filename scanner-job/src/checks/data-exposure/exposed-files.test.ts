import { fakeApi } from "../../testing/fake-api.ts";
import { testCheck } from "../../testing/test-check.ts";
import exposedFiles from "./exposed-files.ts";

const html = { "content-type": "text/html" };

testCheck(exposedFiles, {
  positive: [
    {
      name: "an environment file",
      target: fakeApi({ "GET /.env": { body: "APP_ENV=production\nDB_HOST=db\n" } }),
      finding: { severity: "high", location: { method: "GET", path: "/.env" } },
      count: 1,
    },
    {
      name: "a Git directory below the base path",
      path: "/app",
      target: fakeApi({ "GET /app": { json: {} }, "GET /app/.git/HEAD": { body: "ref: refs/heads/main\n" } }),
      finding: { location: { method: "GET", path: "/app/.git/HEAD" } },
      count: 1,
    },
    {
      name: "the list of a directory",
      target: fakeApi({ "GET /backup/": { headers: html, body: "<html><title>Index of /backup</title>" } }),
      finding: { severity: "medium" },
      count: 1,
    },
    {
      name: "a private key",
      target: fakeApi({ "GET /id_rsa": { body: "-----BEGIN RSA PRIVATE KEY-----\nMII\n" } }),
      finding: { severity: "critical" },
      count: 1,
    },
  ],
  negative: [
    {
      name: "a host that answers every path with settings",
      target: fakeApi({ "* *": { body: "APP_ENV=production\nDB_HOST=db\n" } }),
    },
    { name: "a host without such files", target: fakeApi({ "GET /": { json: {} } }) },
    {
      name: "an app that answers every path with its page",
      target: fakeApi({ "* *": { headers: html, body: "<!doctype html><title>App</title>KEY=value" } }),
    },
    {
      name: "a page that explains environment files",
      target: fakeApi({ "GET /.env": { headers: html, body: "<html><pre>\nAPP_ENV=production\n</pre>" } }),
    },
    {
      name: "a settings file without credentials",
      target: fakeApi({ "GET /config.json": { json: { theme: "dark", apiUrl: "/api" } } }),
    },
  ],
  inconclusive: [
    {
      name: "a host whose paths all fail",
      target: fakeApi({ "GET /": { json: {} }, "* *": { status: 500, body: "" } }),
    },
  ],
});
