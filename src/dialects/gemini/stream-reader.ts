import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import { isSafeInteger, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type StreamReader } from '../engine/frame-reader-writer.ts'
import { joinEach, joinLists } from '../engine/join-lists.ts'
import { collectOriginalToolNames } from '../shared/tool-names.ts'
import { toolNameRule } from './constants.ts'
import { isPromptBlocked, decodeUsage, decodeResponseMetadata } from './response-metadata.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import { StreamCandidateReader } from './stream-candidate-reader.ts'

/** The fields of which a chunk contains at least one. */
const chunkKeys = ['candidates', 'promptFeedback', 'usageMetadata', 'responseId', 'modelVersion']

/** Creates the reader of a streamed response. */
export function createStreamReader(options: DecodeOptions = {}): StreamReader {
  const readers = new Map<number, StreamCandidateReader>()
  const renamedTools = collectOriginalToolNames(options.request, toolNameRule)
  let id: string | undefined
  const getReader = (index: number): StreamCandidateReader => {
    const known = readers.get(index)
    if (known !== undefined) return known
    const idSeed = `${id ?? generateId('resp', options)} ${index}`
    const created = new StreamCandidateReader(index, idSeed, renamedTools, options)
    readers.set(index, created)
    return created
  }
  const readCandidate = (candidate: Json, position: number): readonly ChatEvent[] => {
    if (!isObject(candidate)) return []
    const { index } = candidate
    const reader = getReader(isSafeInteger(index) && index >= 0 ? index : position)
    return reader.read(toCamelCaseKeys(candidate))
  }
  let isStarted = false
  return {
    read(wire) {
      const chunk = toCamelCaseKeys(wire)
      if (!chunkKeys.some((key) => Object.hasOwn(chunk, key))) return []
      // Later chunks repeat the metadata. If the first has no id, a later one may have it.
      const metadata = isStarted && id !== undefined ? undefined : decodeResponseMetadata(chunk)
      let start: readonly ChatEvent[] =
        isStarted || metadata === undefined ? [] : [{ type: 'start', ...metadata }]
      id ??= metadata?.id
      isStarted = true
      if (isPromptBlocked(chunk)) start = [...start, { type: 'finish', finish: { reason: 'content-filter' } }]
      let position = 0
      const content = joinEach(itemsOf(chunk['candidates']), (candidate) =>
        readCandidate(candidate, position++),
      )
      const events = joinLists(start, content)
      const usage = decodeUsage(chunk['usageMetadata'])
      return usage === undefined ? events : [...events, { type: 'usage', usage }]
    },
    end: () => [...readers.values()].flatMap((reader) => reader.close()),
  }
}

/** Returns the type of a wire event: all of them are chunks. */
export function wireEventType(_wire: JsonObject): string {
  return 'chunk'
}
