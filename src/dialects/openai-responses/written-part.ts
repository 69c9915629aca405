import { isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { append } from '../shared/append.ts'
import { wordOf } from '../shared/wire-text.ts'

type Wire = { readonly [key: string]: Json }

/** A part as far as it was written: what it opened with, and what came since. It grows in place, piece by piece. */
export class WrittenPart {
  readonly #opening: JsonObject
  readonly #key: 'text' | 'refusal'
  #text: string | undefined
  readonly #annotations: Json[]
  readonly #logprobs: Json[]

  constructor(opening: JsonObject) {
    this.#opening = opening
    this.#key = opening['type'] === 'refusal' ? 'refusal' : 'text'
    this.#annotations = [...itemsOf(opening['annotations'])]
    this.#logprobs = [...itemsOf(opening['logprobs'])]
  }

  /** What it says. */
  get text(): string {
    return this.#text ?? wordOf(this.#opening[this.#key])
  }

  get annotations(): readonly Json[] {
    return this.#annotations
  }

  get logprobs(): readonly Json[] {
    return this.#logprobs
  }

  /** Takes note of a wire event; whether it says something of the part. */
  note(kind: string, { delta, annotation, logprobs, [this.#key]: said }: Wire): boolean {
    if (isObject(annotation)) this.#annotations.push(annotation)
    else if (typeof delta === 'string') {
      this.#text = this.text + delta
      // Log probabilities join those that came before.
      append(this.#logprobs, itemsOf(logprobs))
    } else if (kind.endsWith('.done') && typeof said === 'string') this.#text = said
    else return false
    return true
  }

  whole(): JsonObject {
    const grown = (key: string, list: readonly Json[]): JsonObject =>
      list.length > itemsOf(this.#opening[key]).length ? { [key]: [...list] } : {}
    return {
      ...this.#opening,
      ...(this.#text !== undefined && { [this.#key]: this.#text }),
      ...grown('annotations', this.#annotations),
      ...grown('logprobs', this.#logprobs),
    }
  }
}
