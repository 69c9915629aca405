import type { Citation } from '../../canonical/model/citation.ts'
import type { AssistantMessage } from '../../canonical/model/message.ts'
import type { AssistantPart, ReasoningPart, TextPart } from '../../canonical/model/part.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isList, type Json, type JsonObject } from '../../wire/json.ts'
import { createFallback } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import { MovedPartDetector } from '../engine/parts-being-written.ts'
import { applyResidue, getHints } from '../engine/residue-slots.ts'
import type { CallIdGenerator } from '../shared/call-ids.ts'
import { createOpaquePart, encodeOpaque } from '../shared/opaque-content.ts'
import { assignCitations, restoreCitationOrder } from './citation-order.ts'
import { decodeCitation, encodeCitations } from './citations.ts'
import { CodePointOffsets } from './code-point-offsets.ts'
import type { BodyKind } from '../engine/unsupported-policy.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { CohereHints, CohereSlot } from './hints.ts'
import {
  decodeReasoning,
  decodeToolPlan,
  encodeThinking,
  isSentAsReasoning,
  isThinkingBlock,
  isToolPlan,
  listReasoningCitations,
  reportReasoningFields,
} from './reasoning.ts'
import { decodeTextBlock, encodeTextBlock, getPlainText, isCohereTextBlock } from './text-blocks.ts'
import { decodeToolCalls, encodeToolCall } from './tool-calls.ts'

/** A part in its place of the message: the content, the tool plan or the calls. */
export type EncodedPart =
  | { readonly field: 'content'; readonly block: JsonObject; encodeCitations(index: number): readonly Json[] }
  | { readonly field: 'tool_plan'; readonly text: string; encodeCitations(index: number): readonly Json[] }
  | { readonly field: 'tool_calls'; readonly call: JsonObject }

const fieldRanks = { content: 0, tool_plan: 1, tool_calls: 2 } as const

/** Decodes an assistant message; fields that it does not model stay residue. */
export function decodeAssistantMessage(
  wire: JsonObject,
  kind: BodyKind,
  ids: CallIdGenerator,
): { readonly content: readonly AssistantPart[]; readonly hints: CohereHints } {
  const { content: received, tool_plan: plan } = wire
  const blocks = listBlocks(received)
  const hasPlan = typeof plan === 'string' && plan !== ''
  const { citations, order } = assignCitations(wire['citations'], blocks, hasPlan)
  const content: AssistantPart[] = blocks.map((block, index) =>
    decodeBlock(block, index, citations.get(index) ?? []),
  )
  if (hasPlan) content.push(decodeToolPlan(plan, citations.get('plan') ?? []))
  pushAll(content, decodeToolCalls(wire['tool_calls'], ids))
  const isUnusualForm =
    kind === 'request'
      ? isList(received) && blocks.length > 0
      : typeof received === 'string' && received !== ''
  return {
    content,
    hints: {
      ...(isUnusualForm && { [kind === 'request' ? 'contentAsList' : 'contentAsString']: true }),
      ...(content.length === 0 && { emptyContent: true }),
      ...(order !== undefined && { citationOrder: order }),
      ...(kind === 'request' && hasTextBesideCalls(content) && { textBesideCalls: true }),
    },
  }
}

/** Returns true for content with a text and a call. */
function hasTextBesideCalls(content: readonly AssistantPart[]): boolean {
  return content.some(({ type }) => type === 'text') && content.some(isApplicationCall)
}

/** Returns the blocks of content; a string is one text block. */
function listBlocks(content: Json | undefined): readonly Json[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return isList(content) ? content : []
}

function decodeBlock(wire: Json, index: number, citations: readonly JsonObject[]): AssistantPart {
  if (isThinkingBlock(wire)) return decodeReasoning(wire, citations)
  if (!isCohereTextBlock(wire)) return createOpaquePart(DIALECT_SLOT, wire)
  const part = decodeTextBlock(wire)
  if (citations.length === 0) return part
  const text = new CodePointOffsets(part.text)
  const decoded: Citation[] = []
  for (const citation of citations) pushAll(decoded, decodeCitation(citation, text, index, decoded.at(-1)))
  return { ...part, citations: decoded }
}

/** Encodes an assistant message: the content, the tool plan, then the calls. */
export function encodeAssistantMessage(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
  slot: CohereSlot,
  kind: BodyKind,
): JsonObject {
  return applyResidue(writeAssistantMessage(message, path, context, slot, kind), message, slot)
}

/** Encodes an assistant message without its residue. */
export function writeAssistantMessage(
  message: AssistantMessage,
  path: Path | undefined,
  context: EncodeContext,
  slot: CohereSlot,
  kind: BodyKind,
): JsonObject {
  const hints = getHints(message, slot)
  const blocks: JsonObject[] = []
  const calls: JsonObject[] = []
  const citations: Json[] = []
  const planCitations: Json[] = []
  const plans: string[] = []
  const isTextPlanned = kind === 'request' && !isTextAccepted(message, hints)
  const moved = new MovedPartDetector()
  for (const [index, part] of message.content.entries()) {
    const at = child(child(path, 'content'), index)
    const encoded = encodeAssistantPart(part, at, context, kind, plans.length === 0)
    if (encoded === undefined) continue
    const text = isTextPlanned && encoded.field === 'content' ? getPlainText([encoded.block]) : undefined
    const field = text === undefined ? encoded.field : 'tool_plan'
    if (moved.isFirstMove(fieldRanks[field])) context.report('order-lost', at)
    if (text !== undefined) {
      context.report('text-as-plan', at)
      reportPlannedCitations(part, at, context)
      plans.push(text)
    } else if (encoded.field === 'tool_calls') calls.push(encoded.call)
    else if (encoded.field === 'tool_plan') {
      plans.push(encoded.text)
      pushAll(planCitations, encoded.encodeCitations(0))
    } else {
      pushAll(citations, encoded.encodeCitations(blocks.length))
      blocks.push(encoded.block)
    }
  }
  pushAll(citations, planCitations)
  if (plans.length > 1) context.report('texts-joined', child(path, 'content'))
  const text = getPlainText(blocks)
  const isString =
    text !== undefined && (kind === 'request' ? hints.contentAsList !== true : hints.contentAsString === true)
  return {
    role: 'assistant',
    ...(plans.length > 0 && { tool_plan: plans.join('\n') }),
    ...(blocks.length > 0 && { content: isString ? text : blocks }),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(citations.length > 0 && { citations: restoreCitationOrder(citations, hints) }),
  }
}

/**
 * Returns true for a message whose text is sent as text. Beside calls, the API refuses it, also if it comes from an answer in its
 * format; only a received request keeps it.
 * @see https://github.com/vercel/ai/issues/5794 (the text of the refusal) and https://github.com/mozilla-ai/any-llm/pull/195
 */
function isTextAccepted({ content }: AssistantMessage, { textBesideCalls }: CohereHints): boolean {
  return textBesideCalls === true || !content.some(isApplicationCall)
}

/** Reports the citations of a text that is sent as the tool plan. */
function reportPlannedCitations(part: AssistantPart, path: Path, context: EncodeContext): void {
  if (part.type === 'text' && part.citations !== undefined)
    context.report('citations-dropped', child(path, 'citations'))
}

/** Encodes a part for its place in the message; undefined if nothing is sent. A message has one tool plan. */
export function encodeAssistantPart(
  part: AssistantPart,
  path: Path,
  context: EncodeContext,
  kind: BodyKind,
  canBePlan = true,
): EncodedPart | undefined {
  if (part.type === 'text') return encodeText(part, path, context)
  if (part.type === 'reasoning' && isSentAsReasoning(part, context))
    return encodeReasoning(part, path, context, canBePlan)
  if (isApplicationCall(part)) return { field: 'tool_calls', call: encodeToolCall(part, path, context, kind) }
  if (part.type === 'opaque') {
    const block = encodeOpaque(part, DIALECT_SLOT, path, context)
    return block === undefined ? undefined : { field: 'content', block, encodeCitations: () => [] }
  }
  const fallback = createFallback(part, path, context)
  if (fallback === undefined) return undefined
  return fallback.type === 'text'
    ? encodeText(fallback, path, context)
    : encodeReasoning(fallback, path, context, false)
}

function encodeText(part: TextPart, path: Path, context: EncodeContext): EncodedPart | undefined {
  const block = encodeTextBlock(part, path, context)
  if (block === undefined) return undefined
  return {
    field: 'content',
    block,
    encodeCitations: (index) =>
      part.citations === undefined
        ? []
        : encodeCitations(
            part.citations,
            new CodePointOffsets(part.text),
            index,
            child(path, 'citations'),
            context,
          ),
  }
}

function encodeReasoning(
  part: ReasoningPart,
  path: Path,
  context: EncodeContext,
  canBePlan: boolean,
): EncodedPart {
  const listCitations = (): readonly Json[] => listReasoningCitations(part, path, context)
  if (isToolPlan(part) && canBePlan) {
    reportReasoningFields(part, path, context)
    return { field: 'tool_plan', text: part.text, encodeCitations: listCitations }
  }
  return { field: 'content', block: encodeThinking(part, path, context), encodeCitations: listCitations }
}
