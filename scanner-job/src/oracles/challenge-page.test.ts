import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { isChallengePage } from "./challenge-page.ts";

const html = (status: number, body: string, headers: Record<string, string> = {}) =>
  aResponse({ status, body, headers: { "content-type": "text/html", ...headers } });
const prose = "A long text about something else, as pages of an application have it. ".repeat(80);

describe("a challenge page", () => {
  it.each([
    ["Cloudflare's, by its header", html(403, "", { "cf-mitigated": "challenge" })],
    [
      "Cloudflare's, by its script",
      html(503, "<title>Just a moment...</title><script>window._cf_chl_opt={}</script>"),
    ],
    ["AWS WAF's with status 202", html(202, "", { "x-amzn-waf-action": "challenge" })],
    ["AWS WAF's with status 405", html(405, "", { "x-amzn-waf-action": "captcha" })],
    [
      "Imperva's with status 200",
      html(200, '<html><iframe src="/_Incapsula_Resource?CWUDNSAI=9"></iframe></html>'),
    ],
    [
      "Akamai's",
      html(403, "<h1>Access Denied</h1>You don't have permission. Reference #18.2d351ab8.1557333295.a4e16ab"),
    ],
    [
      "F5's with status 200",
      html(
        200,
        "The requested URL was rejected. Please consult with your administrator. Your support ID is: 1",
      ),
    ],
    ["Sucuri's", html(403, "<title>Sucuri Website Firewall - Access Denied</title>")],
    ["CloudFront's", html(403, "<h1>403 ERROR</h1><h2>The request could not be satisfied.</h2>")],
    ["a refusal that asks for a captcha", html(403, "<p>Solve the captcha to go on.</p>")],
    ["a bot check with status 200", html(200, "<title>Just a moment...</title>")],
  ])("a challenge page is %s", (_, response) => {
    expect(isChallengePage(response)).toBe(true);
  });

  it.each([
    [
      "a sign-up form with a captcha",
      html(200, '<form>Sign up<div class="captcha"></div>Solve the captcha</form>'),
    ],
    [
      "a page whose script loads a captcha",
      html(200, '<script src="https://www.google.com/recaptcha/api.js"></script><h1>Shop</h1>'),
    ],
    [
      "an article on web application firewalls",
      html(200, `<h1>What a web application firewall is</h1>${prose}`),
    ],
    [
      "a page with blocked requests in its footer",
      html(200, `<p>${prose}</p><footer>blocked by us</footer>`),
    ],
    [
      "a long page of the application with a marker",
      html(200, `<p>${prose}</p><script>window._pxAppId="x"</script>`),
    ],
    ["JSON with the word", aResponse({ body: '{"captcha":"required"}' })],
    ["JSON that refuses", aResponse({ status: 403, body: '{"error":"blocked by policy"}' })],
    ["a plain refusal", html(403, "<h1>Forbidden</h1>")],
    ["a page that does not exist", html(404, "<h1>Not found</h1><p>Support ID 7</p>")],
  ])("a challenge page is not %s", (_, response) => {
    expect(isChallengePage(response)).toBe(false);
  });
});
