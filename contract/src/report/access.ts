import * as z from "zod";

/** How an operation responded to requests without credentials. */
export const ACCESS = ["allowed", "refused", "notFound", "noAnswer", "notCalled"] as const;
export type Access = (typeof ACCESS)[number];
/** Paths that the grid has at most. */
export const MAX_ACCESS_PATHS = 1_000;

export const pathAccessSchema = z
  .object({
    path: z.string().max(2_000),
    methods: z.partialRecord(z.string().max(20), z.enum(ACCESS)),
  })
  .meta({ id: "PathAccess" });
export type PathAccess = z.infer<typeof pathAccessSchema>;

/** How an operation responded to a caller: `different` is a success with other data than the baseline identity gets. */
export const CALLER_ACCESS = [...ACCESS, "different"] as const;
export type CallerAccess = (typeof CALLER_ACCESS)[number];

export const accessViolationSchema = z
  .object({
    caller: z.string().max(32),
    finding: z.string().optional().meta({ description: "The id of the finding, or of its instance" }),
    expectation: z
      .enum(["allow", "deny"])
      .optional()
      .meta({ description: "What the owner of the scan expects, where the response is otherwise" }),
  })
  .meta({
    id: "AccessViolation",
    description: "A caller gets what it must not, or does not get what it must",
  });
export type AccessViolation = z.infer<typeof accessViolationSchema>;

/** Violations of one operation at most. */
export const MAX_VIOLATIONS = 20;

export const accessOfCallersSchema = z
  .object({
    method: z.string().max(20),
    path: z.string().max(2_000),
    access: z
      .record(z.string().max(32), z.enum(CALLER_ACCESS))
      .meta({ description: "By the name of the identity; `anonymous` without credentials" }),
    violations: z.array(accessViolationSchema).max(MAX_VIOLATIONS).optional(),
  })
  .meta({ id: "AccessOfCallers" });
export type AccessOfCallers = z.infer<typeof accessOfCallersSchema>;
