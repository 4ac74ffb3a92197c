/**
 * Responses of validators for Node.js, and sentences: name, body of the response, and what it demands: `location field problem
 * schema`, `?` where the location is unknown.
 */
export const OF_NODE: [string, unknown, string[]][] = [
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
  ["a text that is not JSON", "username is required", ["? username missing"]],
];
