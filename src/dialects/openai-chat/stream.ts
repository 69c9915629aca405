import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isInteger, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../dialect.ts'
import type { StreamReader } from '../frames.ts'
import { append } from '../shared/append.ts'
import { namesGiven } from '../shared/names.ts'
import { restoringCalls } from '../shared/restored.ts'
import { SLOT, toolNames } from './codes.ts'
import { decodeHead } from './head.ts'
import { StreamedAnswer } from './streamed-answer.ts'
import { decodeUsage } from './usage.ts'

type Wire = { readonly [key: string]: Json }

/** Reads the chunks of a streamed completion. */
export function streamReader(options: DecodeOptions = {}): StreamReader {
  const names = namesGiven(options.request, toolNames)
  const reading = { names, restored: restoringCalls(options.request, SLOT), limits: options.limits }
  const answers = new Map<number, StreamedAnswer>()
  let started = false
  const answerAt = (index: Json | undefined): StreamedAnswer => {
    const number = isInteger(index) && index >= 0 ? index : 0
    const found = answers.get(number) ?? new StreamedAnswer(number, reading)
    answers.set(number, found)
    return found
  }
  return {
    read(wire) {
      const { choices, usage, object } = wire
      if (!Array.isArray(choices) && usage === undefined && object !== 'chat.completion.chunk') return []
      // Some hosts send a chunk about the prompt ahead: the answer begins with the next one.
      if (!started && wire['id'] === '' && Array.isArray(choices) && choices.length === 0) return []
      const events: ChatEvent[] = started ? [] : [{ type: 'start', ...decodeHead(wire) }]
      started = true
      for (const choice of itemsOf(choices)) {
        if (isObject(choice)) append(events, readChoice(choice, answerAt(choice['index'])))
      }
      const counted = decodeUsage(usage) ?? readGroqUsage(wire['x_groq'])
      if (counted !== undefined) events.push({ type: 'usage', usage: counted })
      return events
    },
    end: () => [...answers.values()].flatMap((answer) => answer.close()),
  }
}

/** Groq counts in a field of its own where it was not asked to count. */
function readGroqUsage(groq: Json | undefined): Usage | undefined {
  return isObject(groq) ? decodeUsage(groq['usage'], { usageField: 'x_groq' }) : undefined
}

function readChoice({ delta, finish_reason: finish }: Wire, answer: StreamedAnswer): ChatEvent[] {
  const said = isObject(delta) ? answer.read(delta) : []
  return typeof finish === 'string' && finish !== '' ? [...said, ...answer.finish(finish)] : said
}

/** Every wire event is a chunk. */
export function kindOf(_wire: JsonObject): string {
  return 'chunk'
}
