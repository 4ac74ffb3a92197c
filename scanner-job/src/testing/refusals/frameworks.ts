/** Responses of frameworks of other languages, as in `node.ts`. */
export const OF_FRAMEWORKS: [string, unknown, string[]][] = [
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
    "Go's validator",
    { error: "Key: 'Query.Term' Error:Field validation for 'Term' failed on the 'required' tag" },
    ["? Term missing"],
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
];
