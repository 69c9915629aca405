import { InterlinguaError } from '../errors.ts'

/** The steps for any schema and any value, however small. */
const BASE_STEPS = 50_000

/** Further steps for each part and each character of the schema and of the value. */
const STEPS_PER_UNIT = 10

/** The most steps of one task, some seconds of work. */
const MAX_STEPS = 20_000_000

/** The steps that are left for one task. */
export class StepBudget {
  #remaining: number

  /** Allows steps for a schema and a value of these sizes. */
  constructor(...sizes: readonly number[]) {
    const units = sizes.reduce((sum, size) => sum + size, 0)
    this.#remaining = Math.min(MAX_STEPS, BASE_STEPS + STEPS_PER_UNIT * units)
  }

  /** Counts work; throws if there was too much. */
  readonly countSteps = (steps: number): void => {
    this.#remaining -= steps
    if (this.#remaining < 0) throw createTooComplexError()
  }
}

/** What the index of an item counts: a key of the usual length. To list the indexes as keys takes longer than all else. */
const INDEX_CHARS = 6

/** Counts the values inside of a value, and the characters of its texts and keys. */
export function measureJson(value: unknown): number {
  if (typeof value === 'string') return value.length + 1
  if (typeof value !== 'object' || value === null) return 1
  let size = 1
  if (Array.isArray(value)) {
    for (const item of value) size += INDEX_CHARS + measureJson(item)
    return size
  }
  for (const [key, item] of Object.entries(value)) size += key.length + measureJson(item)
  return size
}

/** Creates the error for a schema that needs too much work. */
function createTooComplexError(): InterlinguaError {
  return new InterlinguaError('schema-too-complex', 'The JSON Schema needs too many steps', {
    found: 'a schema whose references or alternatives multiply',
    expected: `at most ${BASE_STEPS} steps, and ${STEPS_PER_UNIT} for each character of the schema and the value`,
    hint: 'Simplify the schema: write nested `anyOf`, `oneOf` and `allOf` as one list. Do not use a schema from an untrusted source.',
  })
}
