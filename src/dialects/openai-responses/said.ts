import type { AssistantPart, OpaquePart, RefusalPart, TextPart } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { equalJson, isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { reportBare } from '../shared/bare.ts'
import { asSpoken } from '../shared/restored.ts'
import { applyResidue, hintedExtra, hintsFor, hintsIn, keep, withResidue } from '../unit.ts'
import { decodeCitation, encodeCitations } from './citations.ts'
import { SLOT } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Whether items stand in a request or in a response: the latter must have more. */
export type Side = 'request' | 'response'

/** What stands in a message item. */
export type SaidPart = TextPart | RefusalPart | OpaquePart
export type Placed<T> = { readonly part: T; readonly at: Path | undefined }

/** The first part of a message item carries what the item says beside its content, under this key. */
const ITEM = '$item'

const core: JsonObject = { type: 'message', role: 'assistant', status: 'completed' }

/** Reads an item in which the model speaks. */
export function decodeSaid(
  wire: Wire,
  side: Side,
  given: Hints<OpenAIResponsesHint>,
): readonly AssistantPart[] | undefined {
  const { role, content } = wire
  if (role !== 'assistant') return undefined
  if (typeof content === 'string' && side === 'request') {
    const part: TextPart = { type: 'text', text: content }
    const hints = content === '' ? { ...given, emptyText: true } : given
    return [keep(part, SLOT, SLOT, hints, wire, (each) => encodeEasy(each, undefined, silent))]
  }
  if (!isList(content) || content.length === 0) return undefined
  const listed = content
  if (listed.some((each) => isObject(each) && Object.hasOwn(each, ITEM))) return undefined
  const { content: _content, ...item } = wire
  return listed.map((each, index) =>
    index === 0
      ? decodeContent(each, side, { ...given, startsItem: 'message' }, item)
      : decodeContent(each, side, { continuesItem: true }),
  )
}

function decodeContent(
  wire: Json,
  side: Side,
  place: Hints<OpenAIResponsesHint>,
  item?: JsonObject,
): AssistantPart {
  const read = isObject(wire) ? readContent(wire) : undefined
  const measured = side === 'response' && isObject(wire) && equalJson(wire['logprobs'], [])
  const hints = {
    ...place,
    ...read?.hints,
    ...(side === 'response' && isUnmeasured(wire) && { missingLogprobs: true }),
    ...(measured && { emptyLogprobs: true }),
  }
  const part: SaidPart = read?.part ?? { type: 'opaque', dialect: SLOT, value: wire }
  const framed = item === undefined ? {} : { [ITEM]: item }
  const made = { ...writeContent({ ...part, extra: hintedExtra(SLOT, hints) }, undefined, silent) }
  const unit = { ...made, ...(item !== undefined && { [ITEM]: core }) }
  if (read === undefined || !isObject(wire))
    return sealOwn(withResidue(part, SLOT, framedOnly(unit), framed, hints))
  const { logprobs, ...rest } = wire
  const came = { ...(measured || logprobs === undefined ? rest : wire), ...framed }
  const bond = { keys: ['logprobs'], of: part.type === 'text' ? part.text : '' }
  return sealOwn(withResidue(part, SLOT, unit, came, hints, undefined, bond))
}

/** Older answers say nothing of log probabilities. */
function isUnmeasured(wire: Json): boolean {
  return !isObject(wire) || wire['logprobs'] === undefined
}

function framedOnly(unit: JsonObject): JsonObject {
  return unit[ITEM] === undefined ? {} : { [ITEM]: unit[ITEM] }
}

function readContent(
  wire: Wire,
): { readonly part: TextPart | RefusalPart; readonly hints: Hints<OpenAIResponsesHint> } | undefined {
  const { type, text, refusal, annotations } = wire
  if (type === 'refusal' && typeof refusal === 'string')
    return { part: { type: 'refusal', text: refusal }, hints: {} }
  if ((type !== 'output_text' && type !== 'input_text') || typeof text !== 'string') return undefined
  const cited = isList(annotations) && annotations.length > 0 && type === 'output_text'
  const citations = cited ? { citations: annotations.map(decodeCitation) } : {}
  return {
    part: { type: 'text', text, ...citations },
    hints: hintsIn(SLOT, {
      ...(text === '' && { emptyText: true }),
      ...(type === 'input_text' && { wireType: type }),
    }),
  }
}

/** A part of a message item; undefined for empty text. */
function writeContent(part: SaidPart, at: Path | undefined, encoding: Encoding): JsonObject | undefined {
  if (part.type === 'opaque') return {}
  reportBare(part, at, encoding)
  if (part.type === 'refusal') return { type: 'refusal', refusal: part.text }
  const hints = hintsFor(part, SLOT)
  if (part.text === '' && hints['emptyText'] !== true) {
    encoding.lose('empty-text', at)
    return undefined
  }
  if (hints['wireType'] !== 'input_text')
    return { type: 'output_text', text: part.text, annotations: encodeCitations(part, at, encoding) }
  reportCitations(part, at, encoding)
  return { type: 'input_text', text: part.text }
}

function reportCitations(part: TextPart, at: Path | undefined, encoding: Encoding): void {
  if (part.citations !== undefined && part.citations.length > 0)
    encoding.lose('citations-dropped', below(at, 'citations'))
}

/** Whether a part begins an item of several, or stands in one. */
export function isHead(part: AssistantPart): boolean {
  return hintsFor(part, SLOT)['startsItem'] === 'message'
}
export function isJoiner(part: AssistantPart): boolean {
  return hintsFor(part, SLOT)['continuesItem'] === true
}

/** Writes an item in which the model speaks, with its parts; undefined where nothing is left of them. */
export function encodeSaid(
  parts: readonly Placed<SaidPart>[],
  side: Side,
  encoding: Encoding,
): JsonObject | undefined {
  let item: JsonObject = core
  const content = parts.flatMap(({ part: given, at }, index) => {
    const part = asSpoken(given, SLOT)
    const made = writeContent(part, at, encoding)
    if (made === undefined) return []
    const head = isHead(part)
    const unit = head && index === 0 ? { ...made, [ITEM]: core } : made
    const patched = head || isJoiner(part) ? patchedContent(unit, part, at, encoding) : unit
    const { [ITEM]: framed, ...rest } = patched
    if (isObject(framed)) item = framed
    if (part.type === 'opaque') return [part.value]
    return [withLogprobs(rest, part, side)]
  })
  return content.length === 0 ? undefined : { ...item, content }
}

function patchedContent(
  unit: JsonObject,
  part: SaidPart,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  const stale = (key: string): void => {
    const slot = below(below(at, 'extra'), SLOT)
    encoding.lose('stale-logprobs', below(below(below(slot, '$'), 'bound'), key))
  }
  return applyResidue(unit, part, SLOT, { of: part.type === 'text' ? part.text : '', stale })
}

/** Text of a response says its log probabilities, even if there are none, and says so again as history. */
function withLogprobs(content: JsonObject, part: SaidPart, side: Side): JsonObject {
  const { emptyLogprobs, missingLogprobs } = hintsFor(part, SLOT)
  const says = side === 'response' ? missingLogprobs !== true : emptyLogprobs === true
  return says && content['type'] === 'output_text' ? { logprobs: [], ...content } : content
}

/** The easy form: an item that is one text, without an id. Only what came in this form has residue of it. */
export function encodeEasy(
  part: TextPart | RefusalPart,
  at: Path | undefined,
  encoding: Encoding,
  anonymous = false,
): JsonObject | undefined {
  reportBare(part, at, encoding)
  if (part.type === 'refusal') encoding.lose('refusal-as-text', at)
  else reportCitations(part, at, encoding)
  if (part.text === '' && hintsFor(part, SLOT)['emptyText'] !== true) {
    encoding.lose('empty-text', at)
    return undefined
  }
  const made = { type: 'message', role: 'assistant', content: asSpoken(part, SLOT).text }
  return isHead(part) || isJoiner(part) || anonymous ? made : applyResidue(made, part, SLOT)
}
