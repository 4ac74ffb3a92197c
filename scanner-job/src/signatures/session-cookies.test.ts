import { describe, expect, it } from "vitest";
import { aResponse } from "../testing/samples.ts";
import { cookieName, hasAttribute, sessionCookies } from "./session-cookies.ts";

const setting = (...cookies: string[]) => aResponse({ headers: { "set-cookie": cookies.join("\n") } });

describe("sessionCookies", () => {
  it.each(["session=a", "connect.sid=a; Path=/", "__Host-session=a", "access_token=a", "JSESSIONID=a"])(
    "takes %s for one",
    (cookie) => expect(sessionCookies(setting("lang=en", cookie))).toEqual([cookie]),
  );

  it.each(["lang=en", "csrf-session=a", "session=", "sid=a; Max-Age=0", "outside=a"])(
    "takes %s for none",
    (cookie) => expect(sessionCookies(setting(cookie))).toEqual([]),
  );
});

describe("a cookie", () => {
  it("a cookie has the attributes that follow its value, in either case", () => {
    expect(hasAttribute("sid=Secure; secure; Path=/", "Secure")).toBe(true);
    expect(hasAttribute("sid=Secure; Path=/", "Secure")).toBe(false);
    expect(cookieName(" sid=a=b")).toBe("sid");
  });
});
