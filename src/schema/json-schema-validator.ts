import type { JsonSchema } from '../wire/json.ts'
import { toPointer } from '../wire/json-pointer.ts'
import { memoizeBySchema } from '../wire/memoize.ts'
import { SchemaReferences } from './schema-references.ts'
import { createInvalidSchemaError, SchemaEvaluator } from './schema-evaluator.ts'
import { createLocation, listIssues } from './schema-outcome.ts'
import { measureJson, StepBudget } from './schema-limits.ts'

/** An issue that the validator found. */
export interface ValidatorIssue {
  /** JSON pointer to the invalid field; `''` is the value itself. */
  readonly path: string
  readonly keyword: string
  readonly message: string
}

/** Validates values against a JSON Schema or any schema inside it. */
export interface JsonSchemaValidator {
  /** The schema, frozen: schemas inside it are identified by reference. */
  readonly root: JsonSchema
  /** Returns all issues of a value. Throws if the schema is invalid, or too complex for a value of this size. */
  findIssues(value: unknown, schema?: unknown, budget?: StepBudget): readonly ValidatorIssue[]
}

/** The drafts, by a part of `$schema`, in which a schema with a reference has no other keywords. */
const REF_ONLY_DRAFTS = ['draft-04', 'draft-06', 'draft-07']

/** Returns the validator of a schema, cached by schema. */
export const getSchemaValidator: (schema: JsonSchema) => JsonSchemaValidator =
  memoizeBySchema(createValidator)

function createValidator(root: JsonSchema): JsonSchemaValidator {
  const { $schema: draft } = root
  const isRefAlone = typeof draft === 'string' && REF_ONLY_DRAFTS.some((part) => draft.includes(part))
  const schemaSize = measureJson(root)
  const refs = new SchemaReferences(root)
  return {
    root,
    findIssues: (value, part = root, budget = new StepBudget(schemaSize, measureJson(value))) => {
      const evaluator = new SchemaEvaluator(refs, isRefAlone, budget)
      try {
        const outcome = evaluator.evaluate(part, createLocation(value, undefined))
        return listIssues(outcome).map(({ path, ...issue }) => ({ path: toPointer(path), ...issue }))
      } catch (error) {
        throw toSchemaError(error)
      }
    },
  }
}

/** The platform throws for invalid patterns, and for values and schemas that are nested too deeply. */
function toSchemaError(error: unknown): unknown {
  if (error instanceof SyntaxError) return createInvalidSchemaError('an invalid pattern')
  return error instanceof RangeError ? createInvalidSchemaError('schemas that are nested too deeply') : error
}
