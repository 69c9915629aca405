import { type JsonObject, omitUndefined } from './json.ts'

/** The valid numbers of a field, as a check, as text and as JSON Schema. NaN and infinity are in no range. */
export class NumberRange {
  readonly type: 'integer' | 'number'
  readonly minimum: number | undefined
  readonly maximum: number | undefined

  /** Both ends belong to the range. Without them, it contains all numbers of its type. */
  constructor(type: 'integer' | 'number', minimum?: number, maximum?: number) {
    this.type = type
    this.minimum = minimum
    this.maximum = maximum
  }

  /** Returns true for a number of the range. Integers are exact in JSON. */
  includes(value: unknown): value is number {
    const { type, minimum = -Infinity, maximum = Infinity } = this
    const isNumber = type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
    return isNumber && (value as number) >= minimum && (value as number) <= maximum
  }

  /** The numbers of the range, as in an error message: `an integer of at least 1`. */
  get expects(): string {
    const { type, minimum, maximum } = this
    const noun = type === 'integer' ? 'an integer' : 'a number'
    if (minimum === undefined) return noun
    return maximum === undefined ? `${noun} of at least ${minimum}` : `${noun} from ${minimum} to ${maximum}`
  }

  /** The range as JSON Schema. */
  get schema(): JsonObject {
    const { type, minimum, maximum } = this
    return { type, ...omitUndefined({ minimum, maximum }) }
  }
}
