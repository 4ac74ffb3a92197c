import type { Api } from "../testing/api.ts";
import { testContrast } from "../testing/contrast.ts";
import { inputExecution } from "./input-execution.ts";
import { inputValidation } from "./input-validation.ts";

const get = async (api: Api, path: string, query: Record<string, string> = {}) =>
  api.get(`${path}?${new URLSearchParams(query).toString()}`);
const body = async (api: Api, path: string, query: Record<string, string>) =>
  (await get(api, path, query)).text;
const category = (api: Api, value: string) => body(api, "/v2/medicines", { category: value });
const medicine = (api: Api, id: string) => api.get(`/v2/medicines/${encodeURIComponent(id)}`);

testContrast("input that becomes a statement, a file or a page", inputValidation, {
  "`category` becomes part of an SQL statement: conditions are obeyed": async (api) =>
    (await category(api, "inhaler' AND '1'='1")) === (await category(api, "inhaler")) &&
    (await category(api, "inhaler' AND '1'='2")) === '{"medicines":[]}',
  "A quote in `category` brings back the database's error": async (api) =>
    (await category(api, "inhaler'")).includes("unrecognized token") &&
    !(await category(api, "inhaler''")).includes("unrecognized token"),
  "The id becomes part of an SQL statement without quotes": async (api) =>
    (await medicine(api, "1001 AND 1=1")).text.includes("Ibuprofen") &&
    (await medicine(api, "1001 AND 1=2")).status === 404,
  "A word for the number is a 500": async (api) => (await medicine(api, "word")).status === 500,
  "Errors come with their stack trace": async (api) =>
    /\n? {4}at .*:\d+:\d+/.test((await medicine(api, "word")).text),
  "`file` climbs out of its directory with `../`": async (api) =>
    (await body(api, "/v2/leaflets", { file: "../../../etc/passwd" })).startsWith("root:x:0:0:") &&
    (await get(api, "/v2/leaflets", { file: "../../../etc/nothing" })).status === 404,
  "`q` is put into the page unescaped (cross-site scripting)": async (api) =>
    (await body(api, "/v2/search", { q: "<b>x" })).includes("<b>x"),
});

testContrast("input that is obeyed", inputExecution, {
  "`name` is evaluated as a template: `{{6*7}}` becomes 42": async (api) => {
    const greetings = await Promise.all(
      ["{{611*733}}", "${611*733}", "<%=611*733%>"].map((name) => body(api, "/v2/greeting", { name })),
    );
    return greetings.every((text) => text.includes("447863") && !text.includes("611"));
  },
  "`host` is part of a command line: `;echo $((6*7))` and `;sleep 3` are run": async (api) => {
    const text = await body(api, "/v2/diagnostics/ping", { host: "mill;sleep 0;echo $((611*733))" });
    return text.includes("447863");
  },
  "`floor[$ne]=` and `floor[$gt]=` reach the database as operators": async (api) =>
    (await body(api, "/v2/rooms", { "floor[$ne]": "9999" })).includes("3a") &&
    (await body(api, "/v2/rooms", { floor: "9999" })) === '{"rooms":[]}',
  "`to` redirects anywhere": async (api) =>
    (await get(api, "/v2/go", { to: "https://canary.invalid/" })).headers.location ===
    "https://canary.invalid/",
  "A line break in `to` starts a header of its own": async (api) =>
    (await get(api, "/v2/go", { to: "/docs\r\nX-Canary: here" })).headers["x-canary"] === "here",
  "The `Host` header decides where the redirect leads": async (api) =>
    Boolean((await api.get("/v2", { host: "canary.invalid" })).headers.location?.includes("canary.invalid")),
  "A number in place of the text is a 500": async (api) =>
    (await api.send("POST", "/v2/letters/preview", { body: { text: 1 } })).status === 500,
});
