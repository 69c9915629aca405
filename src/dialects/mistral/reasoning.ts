import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { isObject, isList, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isShownAsReasoning } from '../engine/content-fallback.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { isMarkedForeign } from '../engine/reasoning-filter.ts'
import { applyResidue, attachResidue, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT, DIALECT_VENDOR } from './constants.ts'

/** Decodes a thinking chunk; undefined if it contains anything but texts. */
export function decodeReasoning(wire: JsonObject): ReasoningPart | undefined {
  const texts = readThinkingTexts(wire['thinking'])
  if (wire['type'] !== 'thinking' || texts === undefined) return undefined
  const { signature } = wire
  const unsigned: ReasoningPart = { type: 'reasoning', text: texts.join('') }
  const isSigned = typeof signature === 'string' && signature !== ''
  const part = isSigned ? attachSignature(unsigned, { vendor: DIALECT_VENDOR, value: signature }) : unsigned
  const hints = {
    thinkingChunk: true,
    ...(texts.length !== 1 && { thinkingLengths: texts.map(({ length }) => length) }),
  }
  return attachResidue(part, DIALECT_SLOT, hints, wire, writeThinking)
}

/** Returns the texts of a thinking chunk; undefined if it contains anything else. */
export function readThinkingTexts(thinking: Json | undefined): readonly string[] | undefined {
  if (!isList(thinking)) return undefined
  const texts = thinking.map((item) => (isObject(item) && item['type'] === 'text' ? item['text'] : undefined))
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

/** Returns true for reasoning that is sent as a thinking chunk: of Mistral, or as the policy allows. */
export function isThinking(part: ReasoningPart, context: EncodeContext): boolean {
  if (getHints(part, DIALECT_SLOT)['thinkingChunk'] === true || getOwnSignature(part) !== undefined)
    return true
  return isShownAsReasoning(part, context) && !isMarkedForeign(part)
}

/** Encodes reasoning as a thinking chunk, and reports what the chunk cannot contain. */
export function encodeThinking(
  part: ReasoningPart,
  path: Path | undefined,
  context: EncodeContext,
): JsonObject {
  const { signature, cache, summary } = part
  if (cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  if (summary) context.report('no-field', child(path, 'summary'))
  if (signature !== undefined && getOwnSignature(part) === undefined) {
    const isForeign = signature.vendor !== DIALECT_VENDOR
    context.report(isForeign ? 'foreign-signature' : 'stale-signature', child(path, 'signature'))
  }
  return writeThinking(part)
}

function writeThinking(part: ReasoningPart): JsonObject {
  const signature = getOwnSignature(part)
  const made = {
    type: 'thinking',
    thinking: splitText(part).map((text) => ({ type: 'text', text })),
    ...(signature !== undefined && { signature }),
    closed: true,
  }
  return applyResidue(made, part, DIALECT_SLOT)
}

function getOwnSignature(part: ReasoningPart): string | undefined {
  const { signature } = part
  return signature?.vendor === DIALECT_VENDOR && isSignatureValid(part) ? signature.value : undefined
}

/** Splits the text as it was received, if its length is the same; otherwise it is one text. */
function splitText(part: ReasoningPart): readonly string[] {
  const { thinkingLengths: lengths } = getHints(part, DIALECT_SLOT)
  if (!isList(lengths)) return [part.text]
  const texts: string[] = []
  let start = 0
  for (const length of lengths) {
    const end = start + Number(length)
    texts.push(part.text.slice(start, end))
    start = end
  }
  return start === part.text.length ? texts : [part.text]
}
