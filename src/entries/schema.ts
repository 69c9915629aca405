// The package entry `interlingua/schema`: JSON Schema for tools, output and the stored form.
export { storedSchema } from '../canonical/stored/stored-schema.ts'
export { STORED_VERSION } from '../canonical/stored/stored-form.ts'
export { fitSchema, type FittedSchema, type SchemaLoss } from '../schema/fit-schema.ts'
export {
  type SchemaSource,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  toJsonSchema,
} from '../schema/schema-source.ts'
export type { SchemaTarget } from '../schema/schema-subsets.ts'
export { stripStrictNulls } from '../schema/strip-strict-nulls.ts'
export type { UncheckedPattern } from '../schema/list-unchecked-patterns.ts'
export { type SchemaIssue, validateValue, type Validation } from '../schema/validate-value.ts'
