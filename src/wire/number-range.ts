/** The ends of a range of numbers. Both belong to it. */
interface NumberRangeEnds {
  /** Default: no lower end. */
  readonly min?: number
  /** Default: no upper end. */
  readonly max?: number
}

/** The valid numbers of a field, as a check, as text and as JSON Schema. NaN and infinity are in no range. */
export class NumberRange {
  readonly #type: 'integer' | 'number'
  readonly #min: number | undefined
  readonly #max: number | undefined

  constructor(type: 'integer' | 'number', { min, max }: NumberRangeEnds = {}) {
    this.#type = type
    this.#min = min
    this.#max = max
  }

  /** Returns true for a number of the range. Integers are exact in JSON. */
  includes(value: unknown): value is number {
    const isNumber = this.#type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value)
    return (
      isNumber &&
      (value as number) >= (this.#min ?? -Infinity) &&
      (value as number) <= (this.#max ?? Infinity)
    )
  }

  /** The numbers of the range, as in an error message: `an integer of at least 1`. */
  get expects(): string {
    const noun = this.#type === 'integer' ? 'an integer' : 'a number'
    if (this.#max === undefined) return this.#min === undefined ? noun : `${noun} of at least ${this.#min}`
    return `${noun} ${this.#min === undefined ? 'of at most' : `from ${this.#min} to`} ${this.#max}`
  }

  /** The range as JSON Schema. */
  get schema(): { readonly type: string; readonly minimum?: number; readonly maximum?: number } {
    return {
      type: this.#type,
      ...(this.#min !== undefined && { minimum: this.#min }),
      ...(this.#max !== undefined && { maximum: this.#max }),
    }
  }
}
