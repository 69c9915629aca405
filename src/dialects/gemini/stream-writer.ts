import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, itemsOf, type Json, type JsonObject, omitUndefined } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { StreamWriter } from '../engine/stream-frames.ts'
import { createCandidatePath } from '../engine/parts-being-written.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { type CitationSource, encodeCitations } from './citations.ts'
import { StreamPlan } from './stream-plan.ts'
import { StreamPartWriter } from './stream-part-writer.ts'
import { createLogprobsRules, createContentBoundKeys } from '../engine/content-bound.ts'
import { CONTENT_BOUND_KEYS } from './candidates.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'

/** The kind of chunk that ends a stream of another format: it names the sources of all that was said. */
const CLOSING_KIND = 'closing'

/** What the last chunk says: the official client takes no chunk without parts. */
const EMPTY_TEXT_PART: JsonObject = { text: '' }

/** What every chunk repeats. */
const headKeys: readonly string[] = ['modelVersion', 'responseId', 'createTime']

/** What one chunk says of one answer. */
interface CandidateChunk {
  readonly parts: JsonObject[]
  readonly sources: CitationSource[]
  finish?: string
}

/** Writes the chunks of a streamed response. Id, model and time are those of the chunk before. */
export function createStreamWriter(context: EncodeContext = noReport): StreamWriter {
  const parts = new StreamPartWriter(context)
  const plan = new StreamPlan(context)
  let head: JsonObject = {}
  let indexed = true
  const natives = new Map<number, boolean>()
  const finishes: ChatEvent[] = []
  const calling = new Set<number>()
  let usage: Usage | undefined

  const toldBy = (kind: string, events: readonly ChatEvent[]): Map<number, CandidateChunk> => {
    const answers = new Map<number, CandidateChunk>()
    for (const event of events) {
      if (event.type === 'usage' || event.type === 'start') continue
      const number = event.candidate ?? 0
      const told = answers.get(number) ?? { parts: [], sources: [] }
      answers.set(number, told)
      if (event.type === 'part-start' && isApplicationCall(event.part)) calling.add(number)
      if (event.type === 'finish') {
        if (kind === CLOSING_KIND) told.parts.push(EMPTY_TEXT_PART)
        const path = child(createCandidatePath(number), 'finish')
        const stopped = { isOwnFormat: natives.get(number) ?? false, hasToolCalls: calling.has(number) }
        told.finish = encodeFinish({ finish: event.finish, ...stopped }, path, context)
      } else if (event.type === 'opaque') told.parts.push(event.value as JsonObject)
      else told.parts.push(...parts.write(event, number))
      if (kind === CLOSING_KIND) told.sources.push(...plan.listSources(number))
      else if (event.type === 'part-update') told.sources.push(...parts.listSources(event, number))
    }
    return answers
  }

  const writer: StreamWriter = {
    contentBoundKeys: createContentBoundKeys(createLogprobsRules(CONTENT_BOUND_KEYS), DIALECT_SLOT, context),
    encodeFrame(kind, events) {
      const start = events.find((event) => event.type === 'start')
      if (start !== undefined) natives.set(start.candidate ?? 0, start.origin?.dialect === DIALECT_SLOT)
      const counted = events.find((event) => event.type === 'usage')?.usage
      const answers = toldBy(kind, events)
      // Assigned one by one: Node 20 takes ten times as long to spread what may be absent.
      const made: Record<string, Json> = {}
      if (answers.size > 0)
        made['candidates'] = Array.from(answers, ([number, told]) =>
          encodeCandidateChunk(number, told, indexed),
        )
      if (counted !== undefined) made['usageMetadata'] = encodeUsage(counted, context)
      return Object.assign(made, head, start && encodeMetadata(start))
    },
    noteWritten(wire) {
      for (const key of headKeys) {
        const value = wire[key]
        if (value !== undefined && value !== head[key]) head = { ...head, [key]: value }
      }
      const { candidates } = wire
      const [first] = itemsOf(candidates)
      if (isObject(first)) indexed = Object.hasOwn(first, 'index')
    },
    plan(event) {
      const { candidate = 0 } = event
      if (event.type === 'part-start' && isApplicationCall(event.part)) calling.add(candidate)
      if (event.type === 'start') {
        natives.set(candidate, event.origin?.dialect === DIALECT_SLOT)
        head = { ...head, ...encodeMetadata(event) }
        if (event.message?.name !== undefined)
          context.report('message-name', child(createCandidatePath(candidate), 'name'))
      } else if (event.type === 'finish') finishes.push(event)
      else if (event.type === 'usage') usage = event.usage
      const said = plan.plan(event)
      return said.length === 0 ? [] : [['chunk', createPartEvents(said, candidate)]]
    },
    end() {
      const late = plan.end().filter(([, said]) => said.length > 0)
      const chunks = late.map(([candidate, said]) =>
        writer.encodeFrame('chunk', createPartEvents(said, candidate)),
      )
      const last: ChatEvent[] = [
        ...finishes,
        ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
      ]
      return last.length === 0 ? chunks : [...chunks, writer.encodeFrame(CLOSING_KIND, last)]
    },
  }
  return writer
}

/** Wire parts as events, to be told in one chunk. */
function createPartEvents(parts: readonly JsonObject[], candidate: number): readonly ChatEvent[] {
  return parts.map((value) => ({ type: 'opaque', dialect: DIALECT_SLOT, value, candidate }))
}

function encodeMetadata({ id, model, createdAt }: ChatEvent & { readonly type: 'start' }): JsonObject {
  return omitUndefined({ modelVersion: model, responseId: id, createTime: createdAt })
}

function encodeCandidateChunk(
  number: number,
  { parts, finish, sources }: CandidateChunk,
  indexed: boolean,
): JsonObject {
  const made: Record<string, Json> = {}
  if (parts.length > 0) made['content'] = { role: 'model', parts }
  if (finish !== undefined) made['finishReason'] = finish
  if (indexed || number > 0) made['index'] = number
  if (sources.length > 0) made['groundingMetadata'] = encodeCitations(sources, getSourceSizes(sources))
  return made
}

/** How many places there were for the sources, where they came with that. */
function getSourceSizes(sources: readonly CitationSource[]): JsonObject {
  return sources.map(({ sizes }) => sizes).find((sizes) => sizes !== undefined) ?? {}
}
