/**
 * The part of Standard Schema (standardschema.dev) that we use, said structurally: zod, arktype, valibot and others fit
 * without a dependency on any of them.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    /** Only some libraries have it: the same schema, said as JSON Schema. */
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => { readonly [key: string]: unknown }
    }
  }
}

/** What validation gives: a value, or what is wrong with it. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

/** One complaint; a step of the path may be wrapped. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** True for a schema of a library that speaks Standard Schema. Some of them (arktype) are functions. */
export function isStandard(source: unknown): source is StandardSchema {
  if ((typeof source !== 'object' && typeof source !== 'function') || source === null) return false
  // Libraries may keep it on a prototype, so it is read rather than asked for as an own key.
  const standard = (source as { readonly '~standard'?: unknown })['~standard']
  return (
    typeof standard === 'object' &&
    standard !== null &&
    typeof (standard as { readonly validate?: unknown }).validate === 'function'
  )
}
