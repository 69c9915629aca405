import type { AssistantMessage, Finish, FinishReason } from '../../canonical/model/message.ts'
import type { AssistantPart } from '../../canonical/model/part.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Usage } from '../../canonical/model/usage.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { isEmptyObject, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { createTwoWayTable, type TwoWayTable } from '../../wire/two-way-table.ts'
import type { ReceivedBody } from '../engine/check-received-body.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import {
  applyResidue,
  attachResidue,
  createHintExtra,
  getHints,
  withResidue,
} from '../engine/residue-slots.ts'
import {
  createAssistantMessage,
  createFinishEncoder,
  createResponseMetadata,
  decodeFinishReason,
  encodeRequiredFinish,
  type FinishEncoder,
  reportDroppedCandidates,
  type ResponseMetadata,
} from '../shared/response-metadata.ts'
import { createResponse } from '../shared/single-response.ts'
import type { BlockFormat, UsageKeys } from './block-format.ts'
import type { BlockPartCodec } from './block-parts.ts'

const CANDIDATE_PATH = child(child(undefined, 'candidates'), 0)

/** Decodes and encodes the responses of a format: one message, a finish reason and token counts. */
export class BlockResponseCodec {
  readonly encodeFinish: FinishEncoder
  readonly #format: BlockFormat
  readonly #parts: BlockPartCodec
  readonly #finishReasons: TwoWayTable<string, FinishReason>

  constructor(format: BlockFormat, parts: BlockPartCodec) {
    this.#format = format
    this.#parts = parts
    this.#finishReasons = createTwoWayTable(format.finishReasons)
    this.encodeFinish = createFinishEncoder(this.#finishReasons, this.#finishReasons.toWire('stop') ?? 'stop')
  }

  decode(body: ReceivedBody, options: DecodeOptions): ChatResponse {
    const metadata = this.decodeMetadata(body)
    const { response: slot, dialect } = this.#parts.slots
    const received = body[this.#format.response.content]
    const content = this.#decodeContent(received)
    const finish = this.decodeFinish(body, content.some(isApplicationCall))
    const hints = {
      ...(typeof received === 'string' && { contentAsText: true }),
      ...(finish === undefined && { missingFinishReason: true }),
    }
    const extra = isEmptyObject(hints) ? undefined : createHintExtra(dialect, hints)
    const message = createAssistantMessage(content, metadata.origin, finish, options, extra)
    const response = createResponse(metadata, message, this.decodeUsageField(body))
    if (options.exact === false) return response
    return withResidue(response, slot, this.#write(response, noReport), body)
  }

  #decodeContent(received: Json | undefined): readonly AssistantPart[] {
    if (typeof received === 'string') return received === '' ? [] : [{ type: 'text', text: received }]
    if (!isList(received)) return []
    const { response: slot } = this.#parts.slots
    // The decoder returns only parts that an assistant message can contain.
    return received.map((block) => this.#parts.decode(block, ['assistant'], slot) as AssistantPart)
  }

  encode(response: ChatResponse, context: EncodeContext): JsonObject {
    reportDroppedCandidates(response, context)
    return applyResidue(this.#write(response, context), response, this.#parts.slots.response)
  }

  #write(response: ChatResponse, context: EncodeContext): JsonObject {
    const keys = this.#format.response
    const [message] = response.candidates
    const { response: slot, dialect } = this.#parts.slots
    if (message?.name !== undefined) context.report('message-name', child(CANDIDATE_PATH, 'name'))
    const finishPath = child(CANDIDATE_PATH, 'finish')
    const finish = encodeRequiredFinish(message, dialect, this.encodeFinish, finishPath, context)
    return {
      ...this.writeStartFields(response),
      [keys.content]: this.#writeContent(message, context, slot),
      ...(finish !== undefined && { [keys.finish]: finish }),
      ...(response.usage !== undefined && this.writeUsage(response.usage, context)),
    }
  }

  #writeContent(
    message: AssistantMessage | undefined,
    context: EncodeContext,
    slot: BlockPartCodec['slots']['response'],
  ): Json {
    const content = message?.content ?? []
    const [only, ...others] = content
    const isText = getHints(message ?? {}, this.#parts.slots.dialect)['contentAsText'] === true
    if (isText && others.length === 0 && (only === undefined || only.type === 'text')) return only?.text ?? ''
    return this.#parts.encodeList(content, child(CANDIDATE_PATH, 'content'), context, slot)
  }

  decodeMetadata(fields: JsonObject): ResponseMetadata {
    const { id, model } = this.#format.response
    return createResponseMetadata(
      this.#format.name,
      id === undefined ? undefined : fields[id],
      model === undefined ? undefined : fields[model],
    )
  }

  /** Returns the id and the model of a response under the keys of the format. */
  writeStartFields({ id, model }: Pick<ChatResponse, 'id' | 'model'>): JsonObject {
    const keys = this.#format.response
    return {
      ...(keys.id !== undefined && id !== undefined && { [keys.id]: id }),
      ...(keys.model !== undefined && model !== undefined && { [keys.model]: model }),
    }
  }

  /** Decodes the finish reason of a body or of the last event of a stream. */
  decodeFinish(fields: JsonObject, hasToolCalls: boolean): Finish | undefined {
    const raw = fields[this.#format.response.finish]
    return typeof raw === 'string' ? decodeFinishReason(this.#finishReasons, raw, hasToolCalls) : undefined
  }

  decodeUsageField(fields: JsonObject): Usage | undefined {
    const { usage: key } = this.#format.response
    return key === undefined ? undefined : this.decodeUsage(fields[key])
  }

  /** Decodes the object with the token counts. */
  decodeUsage(wire: Json | undefined): Usage | undefined {
    const { usage: keys } = this.#format
    if (keys === undefined || !isObject(wire)) return undefined
    const counts: { -readonly [key in keyof UsageKeys]?: number } = {}
    for (const [name, key] of Object.entries(keys) as [keyof UsageKeys, string][]) {
      const count = wire[key]
      if (typeof count === 'number') counts[name] = count
    }
    if (counts.inputTokens === undefined && counts.outputTokens === undefined) return undefined
    const { inputTokens = 0, outputTokens = 0, totalTokens = inputTokens + outputTokens } = counts
    const usage: Usage = { ...counts, inputTokens, outputTokens, totalTokens }
    return attachResidue(usage, this.#parts.slots.dialect, {}, wire, (each) => writeCounts(each, keys))
  }

  /** Returns the usage under its key, and reports the counts without one. */
  writeUsage(usage: Usage, context: EncodeContext): JsonObject {
    const { usage: keys, response } = this.#format
    const path = child(undefined, 'usage')
    if (keys === undefined || response.usage === undefined) {
      context.report('usage-detail', path)
      return {}
    }
    const { inputTokens, outputTokens, totalTokens } = usage
    if (keys.totalTokens === undefined && totalTokens !== inputTokens + outputTokens)
      context.report('usage-total', child(path, 'totalTokens'))
    for (const key of ['cachedInputTokens', 'cacheWriteTokens', 'reasoningTokens'] as const)
      if (keys[key] === undefined && (usage[key] ?? 0) !== 0) context.report('usage-detail', child(path, key))
    return { [response.usage]: applyResidue(writeCounts(usage, keys), usage, this.#parts.slots.dialect) }
  }
}

function writeCounts(usage: Usage, keys: UsageKeys): JsonObject {
  const entries = Object.entries(keys) as [keyof UsageKeys, string][]
  return Object.fromEntries(
    entries.flatMap(([name, key]) => (usage[name] === undefined ? [] : [[key, usage[name]]])),
  )
}
