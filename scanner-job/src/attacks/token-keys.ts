import { createHmac } from "node:crypto";
import { jsonWebTokenOf } from "../signatures/json-web-token.ts";

/** Keys that signed tokens with most often where they could be guessed; the likeliest first. */
export const COMMON_KEYS: readonly string[] = [
  "secret",
  "",
  "your-256-bit-secret",
  "changeme",
  "secretkey",
  "secret-key",
  "secret_key",
  "mysecret",
  "my-secret",
  "mysecretkey",
  "my_secret_key",
  "supersecret",
  "super-secret",
  "supersecretkey",
  "super_secret_key",
  "jwt",
  "jwtsecret",
  "jwt-secret",
  "jwt_secret",
  "JWT_SECRET",
  "JWTSecret",
  "your_jwt_secret",
  "your-secret-key",
  "your_secret_key",
  "yoursecretkey",
  "your-384-bit-secret",
  "your-512-bit-secret",
  "secret123",
  "secretKey",
  "key",
  "token",
  "password",
  "change-me",
  "test",
  "dev",
  "development",
  "shhhhh",
  "1234",
  "123456",
  "admin",
  "default",
  "qwerty",
];

const MORE_KEYS = (
  "random access api apikey api-key api_key app application auth authsecret auth_secret auth-secret private privatekey private-key " +
  "private_key public hmac hs256 hs512 signature sign signingkey signing-key signing_key tokensecret token-secret token_secret " +
  "sessionsecret session-secret session_secret cookie keyboardcat hello helloworld foobar foo bar baz example sample demo local " +
  "localhost prod production staging root toor pass passw0rd Password1 pa55word letmein welcome 123 12345 12345678 123456789 " +
  "1234567890 0123456789 abc abc123 abcdef abcdefgh test123 test-secret testsecret test_secret secret1 secret12 secret1234 " +
  "secret12345 Secret SECRET SECRET_KEY SecretKey my_secret my-secret-key mykey mytoken thisisasecret this-is-a-secret " +
  "thisismysecret topsecret top-secret top_secret verysecret very-secret verysecretkey very_secret_key somesecret some-secret " +
  "somesecretkey notsosecret not-so-secret ultrasecret jwtkey jwt-key jwt_key jwtSecret jwt-secret-key jwt_secret_key " +
  "jwtsecretkey your-secret yoursecret your_secret yoursecret123 change_me changeit change-it changethis please-change-me " +
  "insecure-secret insecure none null undefined nil true false xxx xxxx asdf asdfgh qwertyuiop iloveyou monkey dragon gundam " +
  "AllYourBase SuperSecretKey superSecretKey MySecretKey mySecretKey secret_token node nodejs express django flask laravel spring"
).split(" ");

/** Keys that are derived from what the host and its API are called. */
function keysOfNames(names: readonly string[]): string[] {
  const words = names
    .flatMap((name) => [name, name.replace(/\W+/g, ""), ...name.split(/\W+/)])
    .map((word) => word.toLowerCase())
    .filter((word) => word.length > 2 && word.length <= 40);
  return [...new Set(words)]
    .slice(0, 12)
    .flatMap((word) => [word, `${word}_secret`, `${word}-secret`, `${word}secret`, `${word}_key`]);
}

const ALGORITHMS: Readonly<Record<string, string>> = { HS256: "sha256", HS384: "sha384", HS512: "sha512" };

/** The key with which a token was signed, where it is a common one; undefined otherwise. Nothing is sent. */
export function crackedKey(token: string, names: readonly string[]): string | undefined {
  const [header = "", claims = "", signature = ""] = token.split(".");
  const hash = ALGORITHMS[String(jsonWebTokenOf(token)?.header["alg"])];
  if (hash === undefined) return undefined;
  const candidates = [...COMMON_KEYS, ...MORE_KEYS, ...keysOfNames(names)];
  const forms = candidates.flatMap((key): (string | Buffer)[] => [key, Buffer.from(key, "base64")]);
  const fits = forms.findIndex(
    (key) => createHmac(hash, key).update(`${header}.${claims}`).digest("base64url") === signature,
  );
  return fits < 0 ? undefined : candidates[Math.floor(fits / 2)];
}

/** JSON Web Tokens in a text, at most five. */
export const tokensIn = (text: string): string[] => [
  ...new Set(
    [...text.slice(0, 262_144).matchAll(/\beyJ[\w-]{8,1000}\.eyJ[\w-]{4,4000}\.[\w-]{16,1000}/g)]
      .slice(0, 5)
      .map(([token]) => token),
  ),
];
