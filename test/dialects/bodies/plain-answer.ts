import type { JsonObject } from 'interlingua'

/** A plain answer as its provider sends it: the whole body, and the payloads of its stream. */
interface PlainAnswer {
  readonly whole: JsonObject
  readonly streamed: readonly JsonObject[]
}

/** A plain text and a plain tool call. */
export interface PlainAnswers {
  readonly text: PlainAnswer
  readonly call: PlainAnswer
}

export const TEXT = 'It is 18 degrees in Berlin.'
export const INPUT = { city: 'Berlin' }
export const JSON_INPUT: string = JSON.stringify(INPUT)
