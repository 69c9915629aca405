import type { ChatEvent } from '../../canonical/model/event.ts'
import { getBlockText, isObject, type JsonObject, readStringOrEmpty } from '../../wire/json.ts'
import { child } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createCandidatePath } from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import type { BlockContent, BlockStreamFormat } from '../shared/content-block-stream-format.ts'
import { ContentBlockStreamPlan } from '../shared/content-block-stream-plan.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT, DIALECT_VENDOR, providerCallTypes } from './constants.ts'
import { encodePart } from './parts.ts'
import { encodeFinish, encodeUsage, isToolUseBlock } from './response-metadata.ts'

const format: BlockStreamFormat = {
  slot: DIALECT_SLOT,
  vendor: DIALECT_VENDOR,
  kinds: {
    messageStart: 'message_start',
    start: 'content_block_start',
    delta: 'content_block_delta',
    stop: 'content_block_stop',
  },
  hasStartEvent: () => true,
  isStreamedHostedCall: (call) => providerCallTypes.has(getHints(call, DIALECT_SLOT)['wireType']),
  encodePart: (part, path, context) => encodePart(part, path, context, 'response'),
  readBlock,
  isCitationWritten: (citation) => encodeCitation(citation, undefined, noReport, 'response') !== undefined,
}

/** Plans the events of a stream. */
export class StreamPlan extends ContentBlockStreamPlan {
  constructor(context: EncodeContext) {
    super(context, format)
  }

  recordWritten({ type, index, content_block: block }: JsonObject): void {
    if (type === 'message_start') this.noteStart()
    if (type === 'message_stop') this.isStopped = true
    this.hasToolCalls ||= isToolUseBlock(block)
    if (typeof index !== 'number') return
    if (type === 'content_block_stop') this.noteBlockStop()
    if (type === 'content_block_start') this.noteBlockStart(index)
  }

  end(): WireEventPlan {
    if (this.isStopped) return []
    const last = this.#listLastEvents()
    const delta: WireEventPlan = last.length === 0 ? [] : [['message_delta', last]]
    return [...this.endOpenParts(), ...delta, ['message_stop', []]]
  }

  #listLastEvents(): readonly ChatEvent[] {
    const { finish: event, usage } = this
    const last: ChatEvent[] = []
    if (event !== undefined) {
      const { finish } = event
      const stopped = { finish, isOwnFormat: this.isOwnFormat, hasToolCalls: this.hasToolCalls }
      const { stop_reason: raw } = encodeFinish(stopped, child(createCandidatePath(), 'finish'), this.context)
      last.push({ type: 'finish', finish: { ...finish, raw: raw as string } })
    }
    if (usage !== undefined) {
      encodeUsage(usage, this.context) // reports what is lost
      last.push({ type: 'usage', usage })
    }
    return last
  }
}

function readBlock(block: JsonObject): BlockContent {
  const { type, thinking, signature, input } = block
  if (type === 'text') return { kind: 'text', text: getBlockText(block) }
  if (type === 'thinking')
    return { kind: 'reasoning', text: readStringOrEmpty(thinking), signature: readStringOrEmpty(signature) }
  return { kind: 'other', ...(isObject(input) && { input }) }
}
