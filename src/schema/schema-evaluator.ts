import { InterlinguaError } from '../errors.ts'
import { getOwnValue, isObject } from '../wire/json.ts'
import { child } from '../wire/json-pointer.ts'
import type { SchemaReferences } from './schema-references.ts'
import { applySubschemas } from './apply-subschemas.ts'
import { type KeywordSchema, SCALAR_CHECKS } from './schema-checks.ts'
import type { StepBudget } from './schema-limits.ts'
import {
  createLocation,
  type EvaluationOutcome,
  type SubschemaEvaluator,
  type ValueLocation,
} from './schema-outcome.ts'

/** Evaluates the schemas of one value. */
export class SchemaEvaluator implements SubschemaEvaluator {
  readonly refs: SchemaReferences
  /** True if other keywords beside a reference are ignored, as in older drafts. */
  readonly #isRefAlone: boolean
  /** Counts work; throws if there was too much. */
  readonly countSteps: (steps: number) => void

  constructor(refs: SchemaReferences, isRefAlone: boolean, { countSteps }: StepBudget) {
    this.refs = refs
    this.#isRefAlone = isRefAlone
    this.countSteps = countSteps
  }

  evaluate(schema: unknown, location: ValueLocation): EvaluationOutcome {
    const known = location.outcomes.get(schema)
    if (known === 'in progress') throw createCyclicError()
    if (known !== undefined) return known
    location.outcomes.set(schema, 'in progress')
    const outcome: EvaluationOutcome = { isValid: true, issues: [], evaluated: new Set() }
    if (schema === false) this.report(outcome, location, 'false', 'No value is allowed.')
    else if (isObject(schema)) this.#evaluateKeywords(schema, location, outcome)
    location.outcomes.set(schema, outcome)
    return outcome
  }

  #evaluateKeywords(schema: KeywordSchema, location: ValueLocation, outcome: EvaluationOutcome): void {
    this.countSteps(1)
    const { $ref, $recursiveRef } = schema
    for (const ref of [$ref, $recursiveRef]) {
      if (typeof ref !== 'string') continue
      const target = this.refs.resolve(ref)
      if (target === undefined) throw createUnresolvedError()
      this.require(this.evaluate(target.schema, location), outcome, true)
    }
    if (typeof $ref === 'string' && this.#isRefAlone) return
    for (const keyword in schema) {
      const check = getOwnValue(SCALAR_CHECKS, keyword) as (typeof SCALAR_CHECKS)[string] | undefined
      const message = check?.(location.value, schema[keyword], schema, this.countSteps)
      if (message !== undefined) this.report(outcome, location, keyword, message)
    }
    applySubschemas(schema, location, outcome, this)
  }

  report(outcome: EvaluationOutcome, { path }: ValueLocation, keyword: string, message: string): void {
    outcome.isValid = false
    outcome.issues.push({ path, keyword, message })
  }

  require(part: EvaluationOutcome, whole: EvaluationOutcome, isSameValue = false): void {
    if (!part.isValid) {
      whole.isValid = false
      whole.issues.push(part)
    } else if (isSameValue) this.mergeEvaluated(part, whole)
  }

  mergeEvaluated(part: EvaluationOutcome, whole: EvaluationOutcome): void {
    this.countSteps(part.evaluated.size)
    for (const key of part.evaluated) whole.evaluated.add(key)
  }

  enter({ value, path, children }: ValueLocation, key: string | number): ValueLocation {
    const known = children.get(key)
    if (known !== undefined) return known
    const inner = createLocation(getOwnValue(value as object, String(key)), child(path, key))
    children.set(key, inner)
    return inner
  }
}

function createCyclicError(): InterlinguaError {
  return createInvalidSchemaError('a reference to itself')
}

function createUnresolvedError(): InterlinguaError {
  return createInvalidSchemaError('a reference without a target')
}

/** Creates the error for a schema against which no value can be validated. */
export function createInvalidSchemaError(found: string): InterlinguaError {
  const problem = 'The JSON Schema is invalid; no value can be validated against it'
  return new InterlinguaError('invalid-schema', problem, {
    found,
    expected: 'a JSON Schema whose references and patterns are valid',
    hint: 'Check the $ref, $id and pattern keywords; references must point inside the schema.',
  })
}
