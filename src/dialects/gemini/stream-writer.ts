import type { ChatEvent, StartEvent } from '../../canonical/model/event.ts'
import { isObject, itemsOf, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { pushAll, type StreamWriter } from '../engine/frame-reader-writer.ts'
import { createCandidatePath } from '../engine/parts-being-written.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { type CitationToEncode, encodeCitations } from './citations.ts'
import { CLOSING_CHUNK_TYPE, StreamPlan } from './stream-plan.ts'
import { StreamPartWriter } from './stream-part-writer.ts'
import { createStaleLogprobsRules, createContentBoundKeys } from '../engine/content-bound-keys.ts'
import { CONTENT_BOUND_KEYS } from './candidates.ts'

/** The part of the closing chunk: the official client rejects a chunk without parts. */
const EMPTY_TEXT_PART: JsonObject = { text: '' }

/** The fields that every chunk repeats. */
const metadataKeys: readonly string[] = ['modelVersion', 'responseId', 'createTime']

/** The content of one candidate in one chunk. */
interface CandidateChunk {
  readonly parts: JsonObject[]
  readonly sources: CitationToEncode[]
  finish?: string
}

/** Creates the writer of a streamed response. Each chunk repeats id, model and time of the chunk before. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const parts = new StreamPartWriter(context)
  const plan = new StreamPlan(context)
  let metadata: JsonObject = {}
  let hasIndex = true

  const collectChunks = (kind: string, events: readonly ChatEvent[]): Map<number, CandidateChunk> => {
    const chunks = new Map<number, CandidateChunk>()
    for (const event of events) {
      if (event.type === 'usage' || event.type === 'start') continue
      const candidate = event.candidate ?? 0
      const chunk = chunks.get(candidate) ?? { parts: [], sources: [] }
      chunks.set(candidate, chunk)
      plan.noteEvent(event)
      if (event.type === 'finish') {
        if (kind === CLOSING_CHUNK_TYPE) chunk.parts.push(EMPTY_TEXT_PART)
        const path = child(createCandidatePath(candidate), 'finish')
        const { isOwnFormat, hasToolCalls } = plan.getCandidate(candidate)
        chunk.finish = encodeFinish({ finish: event.finish, isOwnFormat, hasToolCalls }, path, context)
      } else {
        const part = event.type === 'opaque' ? (event.value as JsonObject) : parts.write(event, candidate)
        if (part !== undefined) chunk.parts.push(part)
      }
      if (kind === CLOSING_CHUNK_TYPE) pushAll(chunk.sources, plan.takeSources(candidate))
      else if (event.type === 'part-update') pushAll(chunk.sources, parts.listSources(event, candidate))
    }
    return chunks
  }

  const encodeFrame = (kind: string, events: readonly ChatEvent[]): JsonObject => {
    const start = events.find((event) => event.type === 'start')
    if (start !== undefined) plan.noteEvent(start)
    const usage = events.find((event) => event.type === 'usage')?.usage
    const chunks = collectChunks(kind, events)
    // Assigned one by one: on Node 20, spreading optional fields takes ten times as long.
    const frame: Record<string, Json> = {}
    if (chunks.size > 0)
      frame['candidates'] = Array.from(chunks, ([candidate, chunk]) =>
        encodeCandidateChunk(candidate, chunk, hasIndex),
      )
    if (usage !== undefined) frame['usageMetadata'] = encodeUsage(usage, context)
    return Object.assign(frame, metadata, start && encodeMetadata(start))
  }

  return {
    contentBoundKeys: createContentBoundKeys(
      createStaleLogprobsRules(CONTENT_BOUND_KEYS),
      DIALECT_SLOT,
      context,
    ),
    encodeFrame,
    recordWritten(wire) {
      for (const key of metadataKeys) {
        const value = wire[key]
        if (value !== undefined && value !== metadata[key]) metadata = { ...metadata, [key]: value }
      }
      const [first] = itemsOf(wire['candidates'])
      if (isObject(first)) hasIndex = Object.hasOwn(first, 'index')
    },
    plan(event) {
      if (event.type === 'start') metadata = { ...metadata, ...encodeMetadata(event) }
      return plan.plan(event)
    },
    end: () => plan.end().map(([kind, events]) => encodeFrame(kind, events)),
  }
}

function encodeMetadata({ id, model, createdAt }: StartEvent): JsonObject {
  return omitUndefined({ modelVersion: model, responseId: id, createTime: createdAt })
}

function encodeCandidateChunk(
  candidate: number,
  { parts, finish, sources }: CandidateChunk,
  hasIndex: boolean,
): JsonObject {
  const chunk: Record<string, Json> = {}
  if (parts.length > 0) chunk['content'] = { role: 'model', parts }
  if (finish !== undefined) chunk['finishReason'] = finish
  if (hasIndex || candidate > 0) chunk['index'] = candidate
  if (sources.length > 0) chunk['groundingMetadata'] = encodeCitations(sources, getSourceSizes(sources))
  return chunk
}

/** Returns the lengths of the lists in which the sources arrived, if they are known. */
function getSourceSizes(sources: readonly CitationToEncode[]): JsonObject {
  return sources.map(({ sizes }) => sizes).find((sizes) => sizes !== undefined) ?? {}
}
