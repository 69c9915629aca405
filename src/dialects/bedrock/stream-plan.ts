import type { AssistantPart } from '../../canonical/model/part.ts'
import { isMediaPart } from '../../canonical/read/message-content.ts'
import {
  getBlockText,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { createCandidatePath } from '../engine/parts-being-written.ts'
import { getHints } from '../engine/residue-slots.ts'
import type { WireEventPlan } from '../engine/stream-planner.ts'
import type { BlockContent, BlockStreamFormat } from '../shared/content-block-stream-format.ts'
import { ContentBlockStreamPlan } from '../shared/content-block-stream-plan.ts'
import { encodeCitation } from './citations.ts'
import { DIALECT_SLOT, DIALECT_VENDOR } from './constants.ts'
import { getBlockKey } from './part-context.ts'
import { encodePart } from './parts.ts'
import { encodeFinish, encodeUsage } from './response-metadata.ts'
import { PROVIDER_CALL_TYPE } from './tool-calls.ts'

/** The parts whose blocks are opened by an event; the first delta opens the others. */
const startedTypes: ReadonlySet<string> = new Set(['tool-call', 'tool-result', 'image'])

const format: BlockStreamFormat = {
  slot: DIALECT_SLOT,
  vendor: DIALECT_VENDOR,
  kinds: {
    messageStart: 'messageStart',
    start: 'contentBlockStart',
    delta: 'contentBlockDelta',
    stop: 'contentBlockStop',
  },
  hasStartEvent: ({ type }) => startedTypes.has(type),
  hasWholeDeltas: true,
  isStreamedHostedCall: (call) => getHints(call, DIALECT_SLOT)['wireType'] === PROVIDER_CALL_TYPE,
  encodePart: encodeStreamedPart,
  readBlock,
  isCitationWritten: (citation) => encodeCitation(citation, undefined, noReport) !== undefined,
}

/** Plans the events of a stream. */
export class StreamPlan extends ContentBlockStreamPlan {
  #hasMetadata = false

  constructor(context: EncodeContext) {
    super(context, format)
  }

  recordWritten(wire: JsonObject): void {
    const kind = getBlockKey(wire) ?? ''
    const value = wire[kind]
    const { contentBlockIndex: index, start } = isObject(value) ? value : {}
    if (kind === 'messageStart') this.noteStart()
    if (kind === 'messageStop') this.isStopped = true
    if (kind === 'metadata') this.#hasMetadata = true
    const call = isObject(start) ? start['toolUse'] : undefined
    this.hasToolCalls ||= isObject(call) && call['type'] !== PROVIDER_CALL_TYPE
    if (typeof index !== 'number') return
    if (kind === 'contentBlockStop') this.noteBlockStop()
    else if (kind === 'contentBlockStart' || !this.isKnownBlock(index)) this.noteBlockStart(index)
  }

  end(): WireEventPlan {
    const { finish: event, usage } = this
    const plan: WireEventPlan[number][] = [...this.endOpenParts()]
    const isStopMissing = event !== undefined && !this.isStopped
    if (isStopMissing) {
      const { finish } = event
      const stopped = { finish, isOwnFormat: this.isOwnFormat, hasToolCalls: this.hasToolCalls }
      const path = child(createCandidatePath(), 'finish')
      const { stopReason: raw } = encodeFinish(stopped, path, this.context)
      plan.push(['messageStop', [{ type: 'finish', finish: { ...finish, raw: raw as string } }]])
    }
    // A stream ends with its usage, as a complete answer must have one.
    if ((isStopMissing || usage !== undefined) && !this.#hasMetadata) {
      encodeUsage(usage, this.context) // reports what is lost
      plan.push(['metadata', usage === undefined ? [] : [{ type: 'usage', usage }]])
    }
    return plan
  }
}

/** Encodes a part for a stream, which can contain images, but no other media and no unknown blocks. */
function encodeStreamedPart(part: AssistantPart, path: Path, context: EncodeContext): JsonObject | undefined {
  if (part.type === 'opaque') {
    context.report('foreign-opaque', path)
    return undefined
  }
  const { extra: _extra, ...plain } = part
  const isUnsupported = isMediaPart(part) && part.type !== 'image'
  const block = encodePart(isUnsupported ? plain : part, path, context, 'response')
  if (block !== undefined && part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  return block
}

function readBlock(block: JsonObject): BlockContent {
  const key = getBlockKey(block) ?? ''
  const value = block[key]
  if (key === 'text') return { kind: 'text', text: getBlockText(block) }
  const { content, reasoningText, input } = isObject(value) ? value : {}
  if (key === 'citationsContent') return { kind: 'text', text: joinTexts(content) }
  if (isObject(reasoningText)) {
    const { text, signature } = reasoningText
    return { kind: 'reasoning', text: readStringOrEmpty(text), signature: readStringOrEmpty(signature) }
  }
  return { kind: 'other', ...(key === 'toolUse' && isObject(input) && { input: input }) }
}

function joinTexts(content: Json | undefined): string {
  return itemsOf(content)
    .map((each) => (isObject(each) ? getBlockText(each) : ''))
    .join('')
}
