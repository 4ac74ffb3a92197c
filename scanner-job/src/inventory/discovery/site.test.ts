import { describe, expect, it } from "vitest";
import { discovered, html, script } from "../../testing/discovered.ts";

const NOTHING_MORE = "<p>Welcome</p>";

describe("discover reads pages", { timeout: 30_000 }, () => {
  it("discover reads pages from the one that the entry redirects to, and takes their forms as operations", async () => {
    const { operations, requests } = await discovered({
      "GET /": { status: 302, headers: { location: "/login" } },
      "GET /login": html(
        '<form method="post" action="/login"><input type=hidden name=_csrf value=abc><input name="userName">' +
          '<input type="password" name="password"><button type="submit">Log in</button></form><a href="/signup">Join</a>' +
          '<a href="/logout">Out</a><a href="/about.pdf">About</a>',
      ),
      "GET /signup": html(
        '<form method=POST><select name=plan><option value="basic">Basic</select><input type=email name=mail required></form>' +
          '<form action="/find"><input name="q"></form>',
      ),
    });
    expect(operations).toMatchObject([
      {
        method: "POST",
        path: "/login",
        summary: "Log in",
        body: {
          mediaType: "application/x-www-form-urlencoded",
          sample: { _csrf: "abc", userName: "glovebox", password: "glovebox" },
        },
      },
      {
        method: "POST",
        path: "/signup",
        body: { sample: { plan: "basic", mail: "glovebox@glovebox.invalid" } },
      },
      { method: "GET", path: "/find", parameters: [{ name: "q", in: "query" }] },
    ]);
    expect(requests).not.toContain("GET /logout");
  });

  it("discover reads pages and takes the pages that are linked with a query as operations", async () => {
    const { operations } = await discovered({
      "GET /": html('<a href="/show?item=7&amp;lang=en">7</a>'),
      "GET /show": html("<h1>Seven</h1>"),
    });
    expect(operations).toMatchObject([
      { method: "GET", path: "/show", parameters: [{ name: "item", sample: "7" }, { name: "lang" }] },
    ]);
  });

  it("discover reads pages and the source maps of their scripts", async () => {
    const { names } = await discovered({
      "GET /": html('<script src="/app.js"></script>'),
      "GET /app.js": script("x()\n//# sourceMappingURL=app.js.map"),
      "GET /app.js.map": { json: { sourcesContent: ['client.get("/accounts/mine")'] } },
      "GET /accounts/mine": { status: 401, json: {} },
    });
    expect(names).toEqual(["GET /accounts/mine"]);
  });

  it("discover reads pages but not more than a few levels and pages of them", async () => {
    let made = 0;
    const { requests } = await discovered((_, response) => {
      const links = Array.from({ length: 100 }, () => `<a href="/p${(made += 1)}x">x</a>`).join("");
      response.writeHead(200, { "content-type": "text/html" }).end(NOTHING_MORE + links);
    });
    expect(requests.filter((request) => /\/p\d+x/.test(request)).length).toBeLessThanOrEqual(25);
  });
});
