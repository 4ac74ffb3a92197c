import * as z from "zod";
import { callerSchema, MAX_IDENTITIES } from "../report/callers.ts";
import { inputName, inputText } from "../text-input.ts";
import { expectationsSchema } from "./expectations.ts";

/*
 * Callers as whom a scan sends requests (docs/identities.md). One format for the command line, `/v1`, tRPC and the key
 * `identities.yaml` of a Secret.
 */

/** Identities and their secrets together, as JSON, in bytes. */
export const MAX_IDENTITIES_BYTES = 48 * 1024;
/** Key of the Secret, and name of the file that the scanner reads. */
export const IDENTITIES_FILE = "identities.yaml";
/** The identity that `--header` of the command line makes. */
export const DEFAULT_IDENTITY = "default";

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const MAX_SECRET = 16_384;

const token = (what: string) => z.string().max(200).regex(TOKEN, `must be the name of a ${what}`);
/** What a header may hold: a line break would end it. */
const secretValue = inputText.min(1, "is empty").max(MAX_SECRET);
/** Headers that describe the connection or the body: a value of the user would break every request. */
const CONNECTION_HEADERS = new Set([
  "host",
  "content-length",
  "content-type",
  "transfer-encoding",
  "connection",
  "upgrade",
  "expect",
  "te",
  "trailer",
]);
const headerName = token("header").refine(
  (name) => !CONNECTION_HEADERS.has(name.toLowerCase()),
  "is set by the scanner itself",
);

/** Credentials by name. The reason is reported at the name, which `z.record` itself would not tell. */
const credentials = (name: z.ZodType<string>) =>
  z.record(z.string(), secretValue).superRefine((values, context) => {
    for (const key of Object.keys(values))
      for (const { message } of name.safeParse(key).error?.issues ?? [])
        context.addIssue({ code: "custom", path: [key], message });
  });

const METHODS = ["GET", "POST", "PUT", "PATCH"] as const;
const operationOfSignIn = z
  .string()
  .max(2_000)
  .regex(
    new RegExp(`^(?:${METHODS.join("|")}) /[^\\s?#]*(?:\\?[^\\s#]*)?$`),
    "must be a method and a path, as `POST /session`",
  );
const pointer = z
  .string()
  .max(500)
  .regex(/^(?:\/[^/]*)+$/, "must be a JSON pointer, as `/data/token`");
/** A JSON object with at most this many values is enough for any sign-in. */
const jsonBody = z.record(z.string().max(200), z.json());

const tokenCarrier = z
  .strictObject({
    header: headerName.default("Authorization"),
    prefix: inputText.max(100).default("Bearer "),
  })
  .meta({ description: "The header that carries the token, and what precedes it" });

export const loginSchema = z
  .strictObject({
    operation: operationOfSignIn.meta({
      description:
        "Method and path: below the base of the API if its document has it there, else from the root of the host",
    }),
    body: jsonBody.optional().meta({ description: "Sent as JSON" }),
    form: z
      .record(z.string().max(200), inputText.max(MAX_SECRET))
      .optional()
      .meta({ description: "Sent URL-encoded" }),
    token: pointer.optional().meta({
      description:
        "Where the response has the token. Default: the scanner finds it, else it uses the cookies",
    }),
    as: tokenCarrier.optional(),
    refresh: z.strictObject({ operation: operationOfSignIn, body: jsonBody }).optional().meta({
      description:
        "How a new token is requested. A text that is a JSON pointer into the response to the sign-in is replaced by its value",
    }),
  })
  .refine(({ body, form }) => body === undefined || form === undefined, {
    path: ["form"],
    message: "must not be given beside `body`",
  });
export type Login = z.infer<typeof loginSchema>;

export const identitySchema = z
  .strictObject({
    ...callerSchema.shape,
    role: callerSchema.shape.role.default("user"),
    headers: credentials(headerName).optional(),
    cookies: credentials(token("cookie")).optional(),
    query: credentials(inputText.min(1, "is empty").max(200)).optional(),
    login: loginSchema.optional(),
  })
  .refine(
    ({ headers, cookies, query, login }) =>
      [headers, cookies, query, login].some((given) => given !== undefined && Object.keys(given).length > 0),
    {
      message: "needs `headers`, `cookies`, `query` or `login`",
    },
  )
  .meta({ id: "Identity", description: "A caller with credentials. Write-only: no response contains it" });
export type Identity = z.infer<typeof identitySchema>;
/** An identity as it is written: defaults are missing. */
export type IdentityInput = z.input<typeof identitySchema>;

const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

export const identitiesSchema = z
  .array(identitySchema)
  .min(1, "is empty")
  .max(MAX_IDENTITIES, `must not be more than ${MAX_IDENTITIES}`)
  .superRefine((identities, context) => {
    const names = identities.map(({ name }) => name);
    for (const [index, name] of names.entries())
      if (names.indexOf(name) < index)
        context.addIssue({
          code: "custom",
          path: [index, "name"],
          message: "is the name of another identity",
        });
  })
  .refine(
    (identities) => bytesOf(identities) <= MAX_IDENTITIES_BYTES,
    `must not exceed ${MAX_IDENTITIES_BYTES} bytes`,
  );

/** The contents of a file of identities. */
export const identitiesFileSchema = z.strictObject(
  { identities: identitiesSchema, expectations: expectationsSchema.optional() },
  "must have the key `identities`",
);
/** Callers of a scan, and what they must and must not reach: one unit wherever it is stored or passed on. */
export type IdentitiesFile = z.infer<typeof identitiesFileSchema>;

/** As whom a request scans: identities with expectations about them, or a saved set, which has its own. */
export const IDENTITY_FIELDS = {
  identities: identitiesSchema.optional().meta({
    description:
      "Callers that the scan signs in as. Stored encrypted until the scan ends; no response contains them",
    writeOnly: true,
  }),
  expectations: expectationsSchema.optional().meta({
    description: "What roles and identities must and must not reach. Needs `identities`",
    writeOnly: true,
  }),
  identitySet: inputName.optional().meta({
    description: "Name of a saved set of the target, whose identities and expectations the scan uses",
    writeOnly: true,
  }),
};

/** Identities come from one source, and expectations come with them. */
export function checkIdentityFields(
  { identities, expectations, identitySet }: Readonly<Partial<Record<keyof typeof IDENTITY_FIELDS, unknown>>>,
  context: z.RefinementCtx,
): void {
  const refuse = (field: keyof typeof IDENTITY_FIELDS, message: string): void =>
    context.addIssue({ code: "custom", path: [field], message });
  if (identitySet !== undefined && identities !== undefined)
    refuse("identitySet", "must not be given beside `identities`");
  if (expectations !== undefined && identities === undefined) refuse("expectations", "needs `identities`");
}
