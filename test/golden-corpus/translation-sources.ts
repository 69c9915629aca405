import { type DialectName, dialects, type Json, type JsonObject } from 'interlingua'
import { plainAnswers } from '../dialects/bodies/plain-answers.ts'
import { histories } from '../dialects/handoff/histories.ts'

/** A body or the payloads of a stream of one dialect, from which a case is built. */
export interface TranslationSource {
  readonly name: string
  readonly description: string
  readonly of: 'request' | 'response' | 'stream'
  readonly from: DialectName
  readonly source: JsonObject | readonly Json[]
}

/** Bodies and streams as each provider's own clients and servers write them. */
export const translationSources: readonly TranslationSource[] = (
  Object.keys(dialects) as DialectName[]
).flatMap((from): readonly TranslationSource[] => {
  const { text, call } = plainAnswers[from]
  return [
    {
      name: `${from}-history`,
      description: `A long conversation in the format of ${from}, with all content that it can hold.`,
      of: 'request',
      from,
      source: histories[from],
    },
    {
      name: `${from}-text`,
      description: `An answer of ${from} with text.`,
      of: 'response',
      from,
      source: text.whole,
    },
    {
      name: `${from}-call-stream`,
      description: `A streamed answer of ${from} with a call.`,
      of: 'stream',
      from,
      source: call.streamed,
    },
  ]
})
