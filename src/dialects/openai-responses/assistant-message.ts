import type { AssistantPart, OpaquePart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import {
  applyResidue,
  createHintExtra,
  getHints,
  attachResidue,
  withResidue,
} from '../engine/residue-slots.ts'
import { bindContent } from '../engine/content-bound-keys.ts'
import { restoreNulls } from '../shared/strict-nulls.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { decodeCitation, encodeCitations, reportOmittedCitations } from './citations.ts'
import type { BodyKind } from '../engine/unsupported-policy.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'
import type { PartWithPath } from '../shared/item-reasoning.ts'
import { createOpaquePart } from '../shared/opaque-content.ts'

export type PartInMessageItem = TextPart | RefusalPart | OpaquePart

/** The key under which the first part of a message item keeps the item's other fields in its residue. */
const ITEM_KEY = '$item'

const messageItemBase: JsonObject = { type: 'message', role: 'assistant', status: 'completed' }

/** Decodes a message item of the assistant. */
export function decodeAssistantMessage(
  wire: JsonObject,
  bodyKind: BodyKind,
  itemHints: OpenAIResponsesHints,
): readonly AssistantPart[] | undefined {
  const { role, content } = wire
  if (role !== 'assistant') return undefined
  if (typeof content === 'string' && bodyKind === 'request') {
    const part: TextPart = { type: 'text', text: content }
    const hints = content === '' ? { ...itemHints, emptyText: true } : itemHints
    return [attachResidue(part, DIALECT_SLOT, hints, wire, encodeEasyInputMessage)]
  }
  if (!isList(content) || content.length === 0) return undefined
  if (content.some((each) => isObject(each) && Object.hasOwn(each, ITEM_KEY))) return undefined
  const { content: _content, ...item } = wire
  return content.map((each, index) =>
    index === 0
      ? decodeContent(each, bodyKind, { ...itemHints, startsItem: 'message' }, item)
      : decodeContent(each, bodyKind, { continuesItem: true }),
  )
}

function decodeContent(
  wire: Json,
  bodyKind: BodyKind,
  itemHints: OpenAIResponsesHints,
  item?: JsonObject,
): AssistantPart {
  const content: JsonObject = isObject(wire) ? wire : {}
  const part = readContent(content) ?? createOpaquePart(DIALECT_SLOT, wire)
  const text = part.type === 'text' ? part.text : undefined
  const { logprobs, ...contentWithoutLogprobs } = content
  const hasEmptyLogprobs = bodyKind === 'response' && isEqualJson(logprobs, [])
  const hints = {
    ...itemHints,
    ...(text === '' && { emptyText: true }),
    ...(text !== undefined && content['type'] === 'input_text' && { wireType: 'input_text' }),
    ...(bodyKind === 'response' && logprobs === undefined && { missingLogprobs: true }),
    ...(hasEmptyLogprobs && { emptyLogprobs: true }),
  }
  const made = {
    ...writeContent({ ...part, extra: createHintExtra(DIALECT_SLOT, hints) }, undefined, noReport),
    ...(item !== undefined && { [ITEM_KEY]: messageItemBase }),
  }
  const received = {
    ...(part.type !== 'opaque' && (hasEmptyLogprobs ? contentWithoutLogprobs : content)),
    ...(item !== undefined && { [ITEM_KEY]: item }),
  }
  const binding = { keys: ['logprobs'], content: text ?? '' }
  return freezeOwned(withResidue(part, DIALECT_SLOT, made, received, hints, undefined, binding))
}

function readContent({ type, text, refusal, annotations }: JsonObject): TextPart | RefusalPart | undefined {
  if (type === 'refusal' && typeof refusal === 'string') return { type: 'refusal', text: refusal }
  if ((type !== 'output_text' && type !== 'input_text') || typeof text !== 'string') return undefined
  const hasCitations = isList(annotations) && annotations.length > 0 && type === 'output_text'
  return { type: 'text', text, ...(hasCitations && { citations: annotations.map(decodeCitation) }) }
}

/** Encodes a part of a message item; returns undefined for empty text. */
function writeContent(
  part: PartInMessageItem,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (part.type === 'opaque') return {}
  reportUnsupportedFields(part, path, context)
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.text }
  const { text } = part
  const hints = getHints(part, DIALECT_SLOT)
  if (text === '' && hints['emptyText'] !== true) {
    context.report('empty-text', path)
    return undefined
  }
  if (hints['wireType'] !== 'input_text')
    return { type: 'output_text', text, annotations: encodeCitations(part, path, context) }
  reportOmittedCitations(part, path, context)
  return { type: 'input_text', text }
}

/** Returns true for text and refusals. */
export function isTextOrRefusalPart(part: AssistantPart): part is TextPart | RefusalPart {
  return part.type === 'text' || part.type === 'refusal'
}

/** Returns true if a part is the first of a message item. */
export function isItemStart(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['startsItem'] === 'message'
}

/** Returns true if a part belongs to the same item as the part before it. */
export function isItemContinuation(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['continuesItem'] === true
}

/** Encodes a message item of the assistant with its parts; returns undefined if nothing is left to send. */
export function encodeAssistantMessage(
  parts: readonly PartWithPath<PartInMessageItem>[],
  bodyKind: BodyKind,
  context: EncodeContext,
): JsonObject | undefined {
  let item: JsonObject = messageItemBase
  const content = parts.flatMap(({ part: original, path }, index) => {
    const part = restoreNulls(original, DIALECT_SLOT)
    const made = writeContent(part, path, context)
    if (made === undefined) return []
    const isStart = isItemStart(part)
    const unit = isStart && index === 0 ? { ...made, [ITEM_KEY]: messageItemBase } : made
    const patched =
      isStart || isItemContinuation(part) ? applyContentResidue(unit, part, path, context) : unit
    const { [ITEM_KEY]: itemFields, ...rest } = patched
    if (isObject(itemFields)) item = itemFields
    return [part.type === 'opaque' ? part.value : addLogprobs(rest, part, bodyKind)]
  })
  return content.length === 0 ? undefined : { ...item, content }
}

function applyContentResidue(
  unit: JsonObject,
  part: PartInMessageItem,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const bound = bindContent(part.type === 'text' ? part.text : '', DIALECT_SLOT, path, context)
  return applyResidue(unit, part, DIALECT_SLOT, bound)
}

/**
 * Adds an empty list of log probabilities, which text in a response requires. Text that was received with
 * such a list also has it in later requests.
 */
function addLogprobs(content: JsonObject, part: PartInMessageItem, bodyKind: BodyKind): JsonObject {
  const { emptyLogprobs, missingLogprobs } = getHints(part, DIALECT_SLOT)
  const needsLogprobs = bodyKind === 'response' ? missingLogprobs !== true : emptyLogprobs === true
  return needsLogprobs && content['type'] === 'output_text' ? { logprobs: [], ...content } : content
}

/**
 * Encodes text as OpenAI's easy input message: an item with a string and without an id. The residue is
 * applied only if the part was received in this form.
 */
export function encodeEasyInputMessage(
  part: TextPart | RefusalPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  reportUnsupportedFields(part, path, context)
  if (part.type === 'refusal') context.report('refusal-as-text', path)
  else reportOmittedCitations(part, path, context)
  if (part.text === '' && getHints(part, DIALECT_SLOT)['emptyText'] !== true) {
    context.report('empty-text', path)
    return undefined
  }
  const made = { type: 'message', role: 'assistant', content: restoreNulls(part, DIALECT_SLOT).text }
  return isItemStart(part) || isItemContinuation(part) ? made : applyResidue(made, part, DIALECT_SLOT)
}
