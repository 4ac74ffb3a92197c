import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { validationErrors, type ValidationError } from "./validation-errors.ts";

/** `body name missing`, `query limit invalid {"minimum":1}`; `?` where no place is told. */
const told = ({ field, place = undefined, problem, schema }: ValidationError): string =>
  [place ?? "?", field, problem, ...(Object.keys(schema).length > 0 ? [JSON.stringify(schema)] : [])].join(
    " ",
  );

const CASES: [string, unknown, string[]][] = [
  [
    "pydantic: missing, enumeration and bound",
    {
      detail: [
        { type: "missing", loc: ["body", "name"], msg: "Field required", input: {} },
        {
          type: "enum",
          loc: ["query", "status"],
          msg: "Input should be 'open', 'paid' or 'void'",
          ctx: { expected: "'open', 'paid' or 'void'" },
        },
        {
          type: "greater_than_equal",
          loc: ["query", "limit"],
          msg: "Input should be greater than or equal to 1",
          ctx: { ge: 1 },
        },
        {
          type: "int_parsing",
          loc: ["path", "id"],
          msg: "Input should be a valid integer, unable to parse string as an integer",
        },
        { type: "extra_forbidden", loc: ["body", "color"], msg: "Extra inputs are not permitted" },
        {
          type: "string_too_short",
          loc: ["body", "items", 0, "sku"],
          msg: "String should have at least 3 characters",
          ctx: { min_length: 3 },
        },
      ],
    },
    [
      "body name missing",
      'query status invalid {"enum":["open","paid","void"]}',
      'query limit invalid {"minimum":1}',
      'path id invalid {"type":"integer"}',
      "body color unknown",
      'body items[].sku invalid {"minLength":3}',
    ],
  ],
  [
    "FastAPI before pydantic 2",
    { detail: [{ loc: ["query", "q"], msg: "field required", type: "value_error.missing" }] },
    ["query q missing"],
  ],
  [
    "ajv",
    [
      {
        instancePath: "",
        schemaPath: "#/required",
        keyword: "required",
        params: { missingProperty: "city" },
        message: "must have required property 'city'",
      },
      {
        instancePath: "/age",
        keyword: "minimum",
        params: { comparison: ">=", limit: 18 },
        message: "must be >= 18",
      },
      {
        instancePath: "/kind",
        keyword: "enum",
        params: { allowedValues: ["a", "b"] },
        message: "must be equal to one of the allowed values",
      },
      {
        instancePath: "/day",
        keyword: "format",
        params: { format: "date" },
        message: 'must match format "date"',
      },
      {
        instancePath: "",
        keyword: "additionalProperties",
        params: { additionalProperty: "x" },
        message: "must NOT have additional properties",
      },
      { instancePath: "/on", keyword: "type", params: { type: "boolean" }, message: "must be boolean" },
      {
        instancePath: "/name",
        keyword: "minLength",
        params: { limit: 2 },
        message: "must NOT have fewer than 2 characters",
      },
    ],
    [
      "? city missing",
      '? age invalid {"minimum":18}',
      '? kind invalid {"enum":["a","b"]}',
      '? day invalid {"format":"date"}',
      "? x unknown",
      '? on invalid {"type":"boolean"}',
      '? name invalid {"minLength":2}',
    ],
  ],
  [
    "Fastify",
    {
      statusCode: 400,
      code: "FST_ERR_VALIDATION",
      error: "Bad Request",
      message: "querystring must have required property 'from'",
    },
    ["? from missing"],
  ],
  [
    "Spring: list of errors",
    {
      timestamp: "2024-01-15T12:00:00Z",
      status: 400,
      error: "Bad Request",
      path: "/orders/search",
      errors: [
        {
          codes: ["NotBlank.order.name"],
          defaultMessage: "must not be blank",
          objectName: "order",
          field: "name",
          rejectedValue: null,
          code: "NotBlank",
        },
        { defaultMessage: "must be greater than or equal to 1", field: "quantity", code: "Min" },
        { defaultMessage: "size must be between 2 and 30", field: "label", code: "Size" },
        { defaultMessage: "must be a well-formed email address", field: "contact", code: "Email" },
      ],
    },
    [
      "? name missing",
      '? quantity invalid {"minimum":1}',
      '? label invalid {"minLength":2,"maxLength":30}',
      '? contact invalid {"format":"email"}',
    ],
  ],
  [
    "Spring: a parameter of the query",
    {
      status: 400,
      error: "Bad Request",
      message: "Required request parameter 'since' for method parameter type LocalDate is not present",
    },
    ['? since missing {"format":"date"}'],
  ],
  [
    "Jackson",
    {
      message:
        'JSON parse error: Cannot deserialize value of type `com.acme.Kind` from String "test": not one of the values accepted for Enum class: [CARD, CASH] (through reference chain: com.acme.Order["kind"])',
    },
    ['? kind invalid {"enum":["CARD","CASH"]}'],
  ],
  [
    "ASP.NET problem details",
    {
      type: "https://tools.ietf.org/html/rfc9110#section-15.5.1",
      title: "One or more validation errors occurred.",
      status: 400,
      errors: {
        Name: ["The Name field is required."],
        "$.age": [
          "The JSON value could not be converted to System.Int32. Path: $.age | LineNumber: 0 | BytePositionInLine: 15.",
        ],
        Pin: ["The field Pin must be a string with a minimum length of 4 and a maximum length of 8."],
      },
    },
    ["? Name missing", '? age invalid {"type":"integer"}', '? Pin invalid {"minLength":4,"maxLength":8}'],
  ],
  [
    "Django REST framework",
    {
      title: ["This field is required."],
      rating: ["A valid integer is required."],
      email: ["Enter a valid email address."],
      note: ["This field may not be blank."],
    },
    [
      "? title missing",
      '? rating invalid {"type":"integer"}',
      '? email invalid {"format":"email"}',
      "? note missing",
    ],
  ],
  [
    "Rails: errors by member",
    { errors: { name: ["can't be blank"], code: ["is too short (minimum is 8 characters)"] } },
    ["? name missing", '? code invalid {"minLength":8}'],
  ],
  ["Rails: parameters", { error: "param is missing or the value is empty: user" }, ["? user missing"]],
  [
    "Laravel",
    {
      message: "The name field is required. (and 1 more error)",
      errors: { name: ["The name field is required."], count: ["The count field must be at least 5."] },
    },
    ["? name missing", '? count invalid {"minimum":5}'],
  ],
  [
    "express-validator",
    {
      errors: [
        { type: "field", value: "x", msg: "must be an email", path: "email", location: "body" },
        { msg: "limit must be between 1 and 50", param: "limit", location: "query" },
      ],
    },
    ['body email invalid {"format":"email"}', 'query limit invalid {"minimum":1,"maximum":50}'],
  ],
  [
    "class-validator, as Nest sends it",
    {
      statusCode: 400,
      message: [
        "term must be a string",
        "kind must be one of the following values: cat, dog",
        "property color should not exist",
        "name should not be empty",
        "code must be longer than or equal to 6 characters",
      ],
      error: "Bad Request",
    },
    [
      '? term invalid {"type":"string"}',
      '? kind invalid {"enum":["cat","dog"]}',
      "? color unknown",
      "? name missing",
      '? code invalid {"minLength":6}',
    ],
  ],
  [
    "zod",
    {
      success: false,
      error: {
        name: "ZodError",
        issues: [
          {
            code: "invalid_type",
            expected: "string",
            received: "undefined",
            path: ["query", "term"],
            message: "Required",
          },
          {
            code: "too_small",
            minimum: 3,
            type: "string",
            inclusive: true,
            path: ["body", "name"],
            message: "String must contain at least 3 character(s)",
          },
          {
            code: "invalid_value",
            values: ["x", "y"],
            path: ["kind"],
            message: 'Invalid option: expected one of "x"|"y"',
          },
          { code: "unrecognized_keys", keys: ["foo"], path: [], message: 'Unrecognized key: "foo"' },
          {
            code: "too_big",
            maximum: 9,
            origin: "number",
            path: ["n"],
            message: "Too big: expected number to be <=9",
          },
        ],
      },
    },
    [
      'query term missing {"type":"string"}',
      'body name invalid {"minLength":3}',
      '? kind invalid {"enum":["x","y"]}',
      "? foo unknown",
      '? n invalid {"maximum":9}',
    ],
  ],
  [
    "zod as text",
    {
      error: JSON.stringify([
        {
          code: "invalid_type",
          expected: "number",
          received: "string",
          path: ["amount"],
          message: "Expected number, received string",
        },
      ]),
    },
    ['? amount invalid {"type":"number"}'],
  ],
  ["zod, flattened", { error: { formErrors: [], fieldErrors: { city: ["Required"] } } }, ["? city missing"]],
  [
    "Go's validator",
    { error: "Key: 'Query.Term' Error:Field validation for 'Term' failed on the 'required' tag" },
    ["? Term missing"],
  ],
  [
    "joi",
    {
      message: '"term" is required',
      details: [
        { message: '"term" is required', path: ["term"], type: "any.required", context: { key: "term" } },
        {
          message: '"kind" must be one of [a, b]',
          path: ["kind"],
          type: "any.only",
          context: { valids: ["a", "b"] },
        },
      ],
    },
    ["? term missing", '? kind invalid {"enum":["a","b"]}'],
  ],
  [
    "marshmallow",
    { errors: { json: { name: ["Missing data for required field."], day: ["Not a valid date."] } } },
    ["? name missing", '? day invalid {"format":"date"}'],
  ],
  [
    "Symfony",
    {
      title: "An error occurred",
      violations: [{ propertyPath: "city", message: "This value should not be blank.", code: "c1051bb4" }],
    },
    ["? city missing"],
  ],
  [
    "Litestar",
    {
      status_code: 400,
      detail: "Validation failed for GET /find",
      extra: [{ message: "Expected `int`, got `str`", key: "page", source: "query" }],
    },
    ['query page invalid {"type":"integer"}'],
  ],
  [
    "JSON:API",
    {
      errors: [
        {
          status: "400",
          source: { parameter: "sort" },
          title: "Invalid parameter",
          detail: "sort must be one of: name, age",
        },
      ],
    },
    ['? sort invalid {"enum":["name","age"]}'],
  ],
  ["a sentence", { error: "Missing required parameter: q" }, ["? q missing"]],
  [
    "a sentence with several",
    { message: "Missing required fields: name, email and city" },
    ["? name missing", "? email missing", "? city missing"],
  ],
  ["a sentence that begins with the name", { error: "currency is required" }, ["? currency missing"]],
  ["a text that is no JSON", "username is required", ["? username missing"]],
];

describe("validationErrors", () => {
  it.each(CASES)("reads %s", (_, body, errors) => {
    expect(validationErrors(body).map(told)).toEqual(errors);
  });

  it.each<[string, unknown]>([
    ["a missing object", { error: "User not found" }],
    ["a demand for credentials", { message: "Authentication credentials were not provided." }],
    ["a fault", { error: "Internal Server Error", message: "Cannot read properties of undefined" }],
    ["a success", { id: 1, name: "Ada", type: "user" }],
    ["nothing", undefined],
  ])("reads nothing out of %s", (_, body) => {
    expect(validationErrors(body)).toEqual([]);
  });

  it("never throws, and takes no time to speak of, whatever a target answers", () => {
    const word = fc.constantFrom(
      "msg",
      "message",
      "path",
      "loc",
      "code",
      "errors",
      "required",
      "must be one of [",
      "a, b",
      "'".repeat(300),
      "between 1 and ",
    );
    const text = fc.oneof(
      word,
      fc.string(),
      fc.array(word, { maxLength: 40 }).map((words) => words.join(" ")),
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        text,
        fc.jsonValue({ maxDepth: 2 }),
        fc.array(tie("any")),
        fc.dictionary(text, tie("any")),
      ),
    })).any;
    fc.assert(
      fc.property(value, (body) => {
        const started = performance.now();
        for (const { field } of validationErrors(body)) expect(field).not.toBe("");
        expect(performance.now() - started).toBeLessThan(1_000);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    "a ".repeat(250),
    "'a', ".repeat(100),
    "must be one of ".repeat(35),
    "missing the ".repeat(40),
    "1 and ".repeat(80),
  ])("reads %j in a moment", (text) => {
    const started = performance.now();
    for (let times = 0; times < 100; times += 1) validationErrors({ message: text });
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});
