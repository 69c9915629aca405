import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import { isSafeInteger, isObject, itemsOf, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type StreamReader, pushAll } from '../engine/stream-frames.ts'
import { collectRenamedTools } from '../shared/tool-names.ts'
import { toolNameRule } from './constants.ts'
import { isPromptBlocked, decodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import { StreamCandidateReader } from './stream-candidate-reader.ts'

/** The fields of which a chunk contains at least one. */
const chunkKeys: readonly string[] = [
  'candidates',
  'promptFeedback',
  'usageMetadata',
  'responseId',
  'modelVersion',
]

/** Creates the reader of a streamed response. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  const answers = new Map<number, StreamCandidateReader>()
  const names = collectRenamedTools(options.request, toolNameRule)
  let id: string | undefined
  const answerAt = (number: number): StreamCandidateReader => {
    const known = answers.get(number)
    if (known !== undefined) return known
    const about = `${id ?? generateId('resp', options)} ${number}`
    const made = new StreamCandidateReader(number, about, names, options.limits)
    answers.set(number, made)
    return made
  }
  let started = false
  return {
    read(wire) {
      const chunk = toCamelCaseKeys(wire)
      if (!chunkKeys.some((key) => Object.hasOwn(chunk, key))) return []
      // Later chunks repeat the metadata. If the first has no id, a later one may have it.
      const head = started && id !== undefined ? undefined : decodeResponseMetadata(chunk)
      const events: ChatEvent[] = started || head === undefined ? [] : [{ type: 'start', ...head }]
      id ??= head?.id
      started = true
      if (isPromptBlocked(chunk)) events.push({ type: 'finish', finish: { reason: 'content-filter' } })
      else
        itemsOf(chunk['candidates']).forEach((candidate, position) => {
          if (isObject(candidate))
            pushAll(events, answerAt(getCandidateIndex(candidate, position)).read(toCamelCaseKeys(candidate)))
        })
      const usage = decodeUsage(chunk['usageMetadata'])
      if (usage !== undefined) events.push({ type: 'usage', usage })
      return events
    },
    end: () => [...answers.values()].flatMap((answer) => answer.close()),
  }
}

/** Returns the index of a candidate. */
function getCandidateIndex({ index }: JsonObject, position: number): number {
  return isSafeInteger(index) && index >= 0 ? index : position
}

/** Returns the type of a wire event: all of them are chunks. */
export function wireEventType(_wire: JsonObject): string {
  return 'chunk'
}
