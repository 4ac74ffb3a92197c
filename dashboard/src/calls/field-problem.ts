export interface FieldError {
  readonly data?: { readonly fields?: Readonly<Record<string, readonly string[]>> } | null | undefined;
}

/** What the service says about a field of a form, or about a part of its value: then with the path of the part. */
export function fieldProblem(error: FieldError | null, field: string): string | undefined {
  for (const [path, [problem]] of Object.entries(error?.data?.fields ?? {})) {
    if (path === field) return problem;
    if (path.startsWith(`${field}.`)) return `${path}: ${problem}`;
  }
  return undefined;
}
