import type { AssistantPart, OpaquePart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEqualJson, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { reportUnsupportedFields } from '../shared/unsupported-fields.ts'
import { restoreOriginalText } from '../shared/strict-nulls.ts'
import {
  applyResidue,
  hintedExtra,
  getHints,
  hintsIn,
  attachResidue,
  withResidue,
} from '../engine/residue-slots.ts'
import { decodeCitation, encodeCitations } from './citations.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/** Whether items stand in a request or in a response: the latter must have more. */
export type BodyKind = 'request' | 'response'

/** What stands in a message item. */
export type MessageItemPart = TextPart | RefusalPart | OpaquePart
export type PlacedPart<T> = { readonly part: T; readonly path: Path | undefined }

/** The first part of a message item carries what the item says beside its content, under this key. */
const ITEM_KEY = '$item'

const messageItemBase: JsonObject = { type: 'message', role: 'assistant', status: 'completed' }

/** Reads an item in which the model speaks. */
export function decodeAssistantMessage(
  wire: JsonObject,
  side: BodyKind,
  given: Hints<OpenAIResponsesHint>,
): readonly AssistantPart[] | undefined {
  const { role, content } = wire
  if (role !== 'assistant') return undefined
  if (typeof content === 'string' && side === 'request') {
    const part: TextPart = { type: 'text', text: content }
    const hints = content === '' ? { ...given, emptyText: true } : given
    return [
      attachResidue(part, DIALECT_SLOT, DIALECT_SLOT, hints, wire, (each) =>
        encodeEasyMessage(each, undefined, noReport),
      ),
    ]
  }
  if (!isList(content) || content.length === 0) return undefined
  const listed = content
  if (listed.some((each) => isObject(each) && Object.hasOwn(each, ITEM_KEY))) return undefined
  const { content: _content, ...item } = wire
  return listed.map((each, index) =>
    index === 0
      ? decodeContent(each, side, { ...given, startsItem: 'message' }, item)
      : decodeContent(each, side, { continuesItem: true }),
  )
}

function decodeContent(
  wire: Json,
  side: BodyKind,
  place: Hints<OpenAIResponsesHint>,
  item?: JsonObject,
): AssistantPart {
  const read = isObject(wire) ? readContent(wire) : undefined
  const measured = side === 'response' && isObject(wire) && isEqualJson(wire['logprobs'], [])
  const hints = {
    ...place,
    ...read?.hints,
    ...(side === 'response' && hasNoLogprobs(wire) && { missingLogprobs: true }),
    ...(measured && { emptyLogprobs: true }),
  }
  const part: MessageItemPart = read?.part ?? { type: 'opaque', dialect: DIALECT_SLOT, value: wire }
  const framed = item === undefined ? {} : { [ITEM_KEY]: item }
  const made = { ...writeContent({ ...part, extra: hintedExtra(DIALECT_SLOT, hints) }, undefined, noReport) }
  const unit = { ...made, ...(item !== undefined && { [ITEM_KEY]: messageItemBase }) }
  if (read === undefined || !isObject(wire))
    return freezeOwned(withResidue(part, DIALECT_SLOT, keepItemFields(unit), framed, hints))
  const { logprobs, ...rest } = wire
  const came = { ...(measured || logprobs === undefined ? rest : wire), ...framed }
  const bond = { keys: ['logprobs'], content: part.type === 'text' ? part.text : '' }
  return freezeOwned(withResidue(part, DIALECT_SLOT, unit, came, hints, undefined, bond))
}

/** Older answers say nothing of log probabilities. */
function hasNoLogprobs(wire: Json): boolean {
  return !isObject(wire) || wire['logprobs'] === undefined
}

function keepItemFields(unit: JsonObject): JsonObject {
  return unit[ITEM_KEY] === undefined ? {} : { [ITEM_KEY]: unit[ITEM_KEY] }
}

function readContent(
  wire: JsonObject,
): { readonly part: TextPart | RefusalPart; readonly hints: Hints<OpenAIResponsesHint> } | undefined {
  const { type, text, refusal, annotations } = wire
  if (type === 'refusal' && typeof refusal === 'string')
    return { part: { type: 'refusal', text: refusal }, hints: {} }
  if ((type !== 'output_text' && type !== 'input_text') || typeof text !== 'string') return undefined
  const cited = isList(annotations) && annotations.length > 0 && type === 'output_text'
  const citations = cited ? { citations: annotations.map(decodeCitation) } : {}
  return {
    part: { type: 'text', text, ...citations },
    hints: hintsIn(DIALECT_SLOT, {
      ...(text === '' && { emptyText: true }),
      ...(type === 'input_text' && { wireType: type }),
    }),
  }
}

/** A part of a message item; undefined for empty text. */
function writeContent(
  part: MessageItemPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject | undefined {
  if (part.type === 'opaque') return {}
  reportUnsupportedFields(part, path, context)
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.text }
  const hints = getHints(part, DIALECT_SLOT)
  if (part.text === '' && hints['emptyText'] !== true) {
    context.report('empty-text', path)
    return undefined
  }
  if (hints['wireType'] !== 'input_text')
    return { type: 'output_text', text: part.text, annotations: encodeCitations(part, path, context) }
  reportCitations(part, path, context)
  return { type: 'input_text', text: part.text }
}

function reportCitations(part: TextPart, path: Path | undefined, context: EncodeContext): void {
  if (part.citations !== undefined && part.citations.length > 0)
    context.report('citations-dropped', child(path, 'citations'))
}

/** Whether a part begins an item of several, or stands in one. */
export function isItemStart(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['startsItem'] === 'message'
}
export function isItemContinuation(part: AssistantPart): boolean {
  return getHints(part, DIALECT_SLOT)['continuesItem'] === true
}

/** Writes an item in which the model speaks, with its parts; undefined where nothing is left of them. */
export function encodeAssistantMessage(
  parts: readonly PlacedPart<MessageItemPart>[],
  side: BodyKind,
  context: EncodeContext,
): JsonObject | undefined {
  let item: JsonObject = messageItemBase
  const content = parts.flatMap(({ part: given, path }, index) => {
    const part = restoreOriginalText(given, DIALECT_SLOT)
    const made = writeContent(part, path, context)
    if (made === undefined) return []
    const head = isItemStart(part)
    const unit = head && index === 0 ? { ...made, [ITEM_KEY]: messageItemBase } : made
    const patched = head || isItemContinuation(part) ? applyContentResidue(unit, part, path, context) : unit
    const { [ITEM_KEY]: framed, ...rest } = patched
    if (isObject(framed)) item = framed
    if (part.type === 'opaque') return [part.value]
    return [addLogprobs(rest, part, side)]
  })
  return content.length === 0 ? undefined : { ...item, content }
}

function applyContentResidue(
  unit: JsonObject,
  part: MessageItemPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const stale = (key: string): void => {
    const slot = child(child(path, 'extra'), DIALECT_SLOT)
    context.report('stale-logprobs', child(child(child(slot, '$'), 'bound'), key))
  }
  return applyResidue(unit, part, DIALECT_SLOT, {
    content: part.type === 'text' ? part.text : '',
    onMismatch: stale,
  })
}

/** Text of a response says its log probabilities, even if there are none, and says so again as history. */
function addLogprobs(content: JsonObject, part: MessageItemPart, side: BodyKind): JsonObject {
  const { emptyLogprobs, missingLogprobs } = getHints(part, DIALECT_SLOT)
  const says = side === 'response' ? missingLogprobs !== true : emptyLogprobs === true
  return says && content['type'] === 'output_text' ? { logprobs: [], ...content } : content
}

/** The easy form: an item that is one text, without an id. Only what came in this form has residue of it. */
export function encodeEasyMessage(
  part: TextPart | RefusalPart,
  path: Path | undefined,
  context: EncodeContext,
  anonymous = false,
): JsonObject | undefined {
  reportUnsupportedFields(part, path, context)
  if (part.type === 'refusal') context.report('refusal-as-text', path)
  else reportCitations(part, path, context)
  if (part.text === '' && getHints(part, DIALECT_SLOT)['emptyText'] !== true) {
    context.report('empty-text', path)
    return undefined
  }
  const made = { type: 'message', role: 'assistant', content: restoreOriginalText(part, DIALECT_SLOT).text }
  return isItemStart(part) || isItemContinuation(part) || anonymous
    ? made
    : applyResidue(made, part, DIALECT_SLOT)
}
