import type { Api } from "../testing/api.ts";
import { testWeaknesses } from "../testing/weaknesses.ts";
import { inputExecution } from "./input-execution.ts";
import { inputValidation } from "./input-validation.ts";

const get = async (api: Api, path: string, query: Record<string, string> = {}) =>
  api.get(`${path}?${new URLSearchParams(query).toString()}`);
const body = async (api: Api, path: string, query: Record<string, string>) =>
  (await get(api, path, query)).text;
const category = (api: Api, value: string) => body(api, "/v2/medicines", { category: value });
const medicine = (api: Api, id: string) => api.get(`/v2/medicines/${encodeURIComponent(id)}`);

testWeaknesses("input in SQL statements, file paths and pages", inputValidation, {
  "SQL injection in `category`: conditions are evaluated": async (api) =>
    (await category(api, "inhaler' AND '1'='1")) === (await category(api, "inhaler")) &&
    (await category(api, "inhaler' AND '1'='2")) === '{"medicines":[]}',
  "SQL injection in `category`: a quote returns the error of the database": async (api) =>
    (await category(api, "inhaler'")).includes("unrecognized token") &&
    !(await category(api, "inhaler''")).includes("unrecognized token"),
  "SQL injection in the numeric id": async (api) =>
    (await medicine(api, "1001 AND 1=1")).text.includes("Ibuprofen") &&
    (await medicine(api, "1001 AND 1=2")).status === 404,
  "A word instead of the numeric id causes a 500": async (api) =>
    (await medicine(api, "word")).status === 500,
  "Error responses contain stack traces": async (api) =>
    /\n? {4}at .*:\d+:\d+/.test((await medicine(api, "word")).text),
  "Path traversal in `file` with `../`": async (api) =>
    (await body(api, "/v2/leaflets", { file: "../../../etc/passwd" })).startsWith("root:x:0:0:") &&
    (await get(api, "/v2/leaflets", { file: "../../../etc/nothing" })).status === 404,
  "Reflected cross-site scripting: `q` is not escaped": async (api) =>
    (await body(api, "/v2/search", { q: "<b>x" })).includes("<b>x"),
});

testWeaknesses("input that is executed", inputExecution, {
  "Server-side template injection in `name`: `{{6*7}}` becomes 42": async (api) => {
    const greetings = await Promise.all(
      ["{{611*733}}", "${611*733}", "<%=611*733%>"].map((name) => body(api, "/v2/greeting", { name })),
    );
    return greetings.every((text) => text.includes("447863") && !text.includes("611"));
  },
  "Command injection in `host`: `;echo $((6*7))` and `;sleep 3` are executed": async (api) => {
    const text = await body(api, "/v2/diagnostics/ping", { host: "mill;sleep 0;echo $((611*733))" });
    return text.includes("447863");
  },
  "NoSQL injection in `floor`: `floor[$ne]=` and `floor[$gt]=` are operators": async (api) =>
    (await body(api, "/v2/rooms", { "floor[$ne]": "9999" })).includes("3a") &&
    (await body(api, "/v2/rooms", { floor: "9999" })) === '{"rooms":[]}',
  "Open redirect in `to`": async (api) =>
    (await get(api, "/v2/go", { to: "https://canary.invalid/" })).headers.location ===
    "https://canary.invalid/",
  "HTTP response splitting: a line break in `to` starts a new header": async (api) =>
    (await get(api, "/v2/go", { to: "/docs\r\nX-Canary: here" })).headers["x-canary"] === "here",
  "Host header injection: the `Host` header sets the host of the redirect": async (api) =>
    Boolean((await api.get("/v2", { host: "canary.invalid" })).headers.location?.includes("canary.invalid")),
  "A number instead of the text causes a 500": async (api) =>
    (await api.send("POST", "/v2/letters/preview", { body: { text: 1 } })).status === 500,
});
