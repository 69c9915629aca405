import type { ChatEvent } from '../../canonical/model/event.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isObject, itemsOf, type Json, type JsonObject, stated } from '../../wire/json.ts'
import { below } from '../../wire/pointer.ts'
import { type Encoding, silent } from '../encoding.ts'
import type { StreamWriter } from '../frames.ts'
import { candidatePath } from '../shared/open-parts.ts'
import { SLOT } from './codes.ts'
import { encodeFinish } from './finish.ts'
import { type Source, encodeCitations } from './citations.ts'
import { StreamPlan } from './stream-plan.ts'
import { StreamedParts } from './streamed-parts.ts'
import { encodeUsage } from './usage.ts'
import { logprobsIn, vouchersOf } from '../shared/vouchers.ts'
import { VOUCHERS } from './candidates.ts'
import { isOwnCall } from '../shared/own-calls.ts'

/** The kind of chunk that ends a stream of another format: it names the sources of all that was said. */
const CLOSING = 'closing'

/** What the last chunk says: the official client takes no chunk without parts. */
const NOTHING: JsonObject = { text: '' }

/** What every chunk repeats. */
const headKeys: readonly string[] = ['modelVersion', 'responseId', 'createTime']

/** What one chunk says of one answer. */
interface Told {
  readonly parts: JsonObject[]
  readonly sources: Source[]
  finish?: string
}

/** Writes the chunks of a streamed response. Id, model and time are those of the chunk before. */
export function streamWriter(encoding: Encoding = silent): StreamWriter {
  const parts = new StreamedParts(encoding)
  const plan = new StreamPlan(encoding)
  let head: JsonObject = {}
  let indexed = true
  const natives = new Map<number, boolean>()
  const finishes: ChatEvent[] = []
  const calling = new Set<number>()
  let usage: Usage | undefined

  const toldBy = (kind: string, events: readonly ChatEvent[]): Map<number, Told> => {
    const answers = new Map<number, Told>()
    for (const event of events) {
      if (event.type === 'usage' || event.type === 'start') continue
      const number = event.candidate ?? 0
      const told = answers.get(number) ?? { parts: [], sources: [] }
      answers.set(number, told)
      if (event.type === 'part-start' && isOwnCall(event.part)) calling.add(number)
      if (event.type === 'finish') {
        if (kind === CLOSING) told.parts.push(NOTHING)
        const at = below(candidatePath(number), 'finish')
        const stopped = { own: natives.get(number) ?? false, calls: calling.has(number) }
        told.finish = encodeFinish({ finish: event.finish, ...stopped }, at, encoding)
      } else if (event.type === 'opaque') told.parts.push(event.value as JsonObject)
      else told.parts.push(...parts.write(event, number))
      if (kind === CLOSING) told.sources.push(...plan.sources(number))
      else if (event.type === 'part-update') told.sources.push(...parts.sources(event, number))
    }
    return answers
  }

  const writer: StreamWriter = {
    vouchers: vouchersOf(logprobsIn(VOUCHERS), SLOT, encoding),
    frame(kind, events) {
      const start = events.find((event) => event.type === 'start')
      if (start !== undefined) natives.set(start.candidate ?? 0, start.origin?.dialect === SLOT)
      const counted = events.find((event) => event.type === 'usage')?.usage
      const answers = toldBy(kind, events)
      // Assigned one by one: Node 20 takes ten times as long to spread what may be absent.
      const made: Record<string, Json> = {}
      if (answers.size > 0)
        made['candidates'] = Array.from(answers, ([number, told]) => candidateOf(number, told, indexed))
      if (counted !== undefined) made['usageMetadata'] = encodeUsage(counted, encoding)
      return Object.assign(made, head, start && headOf(start))
    },
    wrote(wire) {
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
      if (event.type === 'part-start' && isOwnCall(event.part)) calling.add(candidate)
      if (event.type === 'start') {
        natives.set(candidate, event.origin?.dialect === SLOT)
        head = { ...head, ...headOf(event) }
        if (event.message?.name !== undefined)
          encoding.lose('message-name', below(candidatePath(candidate), 'name'))
      } else if (event.type === 'finish') finishes.push(event)
      else if (event.type === 'usage') usage = event.usage
      const said = plan.of(event)
      return said.length === 0 ? [] : [['chunk', wireParts(said, candidate)]]
    },
    end() {
      const late = plan.rest().filter(([, said]) => said.length > 0)
      const chunks = late.map(([candidate, said]) => writer.frame('chunk', wireParts(said, candidate)))
      const last: ChatEvent[] = [
        ...finishes,
        ...(usage === undefined ? [] : [{ type: 'usage', usage } as const]),
      ]
      return last.length === 0 ? chunks : [...chunks, writer.frame(CLOSING, last)]
    },
  }
  return writer
}

/** Wire parts as events, to be told in one chunk. */
function wireParts(parts: readonly JsonObject[], candidate: number): readonly ChatEvent[] {
  return parts.map((value) => ({ type: 'opaque', dialect: SLOT, value, candidate }))
}

function headOf({ id, model, createdAt }: ChatEvent & { readonly type: 'start' }): JsonObject {
  return stated({ modelVersion: model, responseId: id, createTime: createdAt })
}

function candidateOf(number: number, { parts, finish, sources }: Told, indexed: boolean): JsonObject {
  const made: Record<string, Json> = {}
  if (parts.length > 0) made['content'] = { role: 'model', parts }
  if (finish !== undefined) made['finishReason'] = finish
  if (indexed || number > 0) made['index'] = number
  if (sources.length > 0) made['groundingMetadata'] = encodeCitations(sources, sizesOf(sources))
  return made
}

/** How many places there were for the sources, where they came with that. */
function sizesOf(sources: readonly Source[]): JsonObject {
  return sources.map(({ sizes }) => sizes).find((sizes) => sizes !== undefined) ?? {}
}
