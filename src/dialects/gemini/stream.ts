import { freshId } from '../../canonical/build/identity.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import { isInteger, isObject, itemsOf, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../dialect.ts'
import type { StreamReader } from '../frames.ts'
import { append } from '../shared/append.ts'
import { namesGiven } from '../shared/names.ts'
import { toolNames } from './codes.ts'
import { isBlocked } from './finish.ts'
import { decodeHead } from './head.ts'
import { camel, type Wire } from './spelling.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import { decodeUsage } from './usage.ts'

/** What a chunk may say; anything else is no chunk. */
const told: readonly string[] = [
  'candidates',
  'promptFeedback',
  'usageMetadata',
  'responseId',
  'modelVersion',
]

/** Reads the chunks of a streamed response. */
export function streamReader(options: DecodeOptions = {}): StreamReader {
  const answers = new Map<number, StreamedAnswer>()
  const names = namesGiven(options.request, toolNames)
  let id: string | undefined
  const answerAt = (number: number): StreamedAnswer => {
    const known = answers.get(number)
    if (known !== undefined) return known
    const about = `${id ?? freshId('resp', options)} ${number}`
    const made = new StreamedAnswer(number, about, names, options.limits)
    answers.set(number, made)
    return made
  }
  let started = false
  return {
    read(wire) {
      const chunk = camel(wire)
      if (!told.some((key) => Object.hasOwn(chunk, key))) return []
      // Later chunks repeat it; where the first has no id, one of them may.
      const head = started && id !== undefined ? undefined : decodeHead(chunk)
      const events: ChatEvent[] = started || head === undefined ? [] : [{ type: 'start', ...head }]
      id ??= head?.id
      started = true
      if (isBlocked(chunk)) events.push({ type: 'finish', finish: { reason: 'content-filter' } })
      else
        itemsOf(chunk['candidates']).forEach((candidate, position) => {
          if (isObject(candidate))
            append(events, answerAt(numberOf(candidate, position)).read(camel(candidate)))
        })
      const usage = decodeUsage(chunk['usageMetadata'])
      if (usage !== undefined) events.push({ type: 'usage', usage })
      return events
    },
    end: () => [...answers.values()].flatMap((answer) => answer.close()),
  }
}

/** Which answer a candidate is more of. */
function numberOf({ index }: Wire, position: number): number {
  return isInteger(index) && index >= 0 ? index : position
}

/** Every wire event is a chunk. */
export function kindOf(_wire: JsonObject): string {
  return 'chunk'
}
