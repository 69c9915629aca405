import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { digestJson, digestText } from '../../wire/digest.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, hintedExtra, getHints, attachResidue } from '../engine/residue-slots.ts'
import { SIGNATURE_VENDOR, DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHint } from './hints.ts'

/** The parts of one reasoning item, with their paths. */
type ReasoningItemParts = readonly { readonly part: ReasoningPart; readonly path: Path | undefined }[]

/**
 * Decodes a reasoning item: one part for each summary and each text, or one empty part. The first part has
 * the residue of the item and the signature of all its parts.
 */
export function decodeReasoning(
  wire: JsonObject,
  neighborHints: Hints<OpenAIResponsesHint>,
): readonly ReasoningPart[] | undefined {
  const { type, summary, content, encrypted_content: token } = wire
  const summaries = readTexts(summary, 'summary_text')
  const texts = content === undefined || content === null ? [] : readTexts(content, 'reasoning_text')
  if (type !== 'reasoning' || summaries === undefined || texts === undefined) return undefined
  const isSigned = typeof token === 'string' && token !== ''
  const [first, ...others]: readonly ReasoningPart[] = [
    ...summaries.map((text) => ({ type: 'reasoning', text, summary: true }) as const),
    ...texts.map((text) => ({ type: 'reasoning', text }) as const),
  ]
  const head: ReasoningPart = first ?? { type: 'reasoning', text: '', ...(isSigned && { redacted: true }) }
  const hints = {
    ...neighborHints,
    startsItem: 'reasoning',
    ...(first === undefined && { emptyReasoning: true }),
    ...(others.length > 0 && { siblingsDigest: digestParts(others) }),
  }
  const rest = others.map((part): ReasoningPart => ({
    ...part,
    extra: hintedExtra(DIALECT_SLOT, { continuesItem: true }),
  }))
  const headWithResidue = attachResidue(
    isSigned ? attachSignature(head, { vendor: SIGNATURE_VENDOR, value: token }) : head,
    DIALECT_SLOT,
    DIALECT_SLOT,
    hints,
    wire,
    (each) =>
      encodeReasoning(
        [each, ...rest].map((part) => ({ part, path: undefined })),
        noReport,
      ),
  )
  return [headWithResidue, ...rest]
}

function readTexts(wire: Json | undefined, type: string): readonly string[] | undefined {
  if (!isList(wire)) return undefined
  const texts = wire.map((entry) => (isObject(entry) && entry['type'] === type ? entry['text'] : undefined))
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

function digestParts(others: readonly ReasoningPart[]): string {
  return digestJson(others.map(({ text, summary }) => [text, summary === true])).slice(0, 16)
}

/** Returns true if reasoning was received in this format or signed by OpenAI. */
export function isOwnReasoning(part: ReasoningPart): boolean {
  const { startsItem, continuesItem } = getHints(part, DIALECT_SLOT)
  return startsItem === 'reasoning' || continuesItem === true || part.signature?.vendor === SIGNATURE_VENDOR
}

/**
 * Encodes the parts of one reasoning item; returns undefined if their signature is no longer valid or their
 * first part is missing.
 */
export function encodeReasoning(
  itemParts: ReasoningItemParts,
  context: EncodeContext,
): JsonObject | undefined {
  const [head, ...others] = itemParts
  if (head === undefined) return undefined
  for (const { part, path } of itemParts) {
    if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  }
  const { part } = head
  const hints = getHints(part, DIALECT_SLOT)
  if (hints['startsItem'] !== 'reasoning' && part.signature === undefined) {
    context.report('unpaired-reasoning', head.path) // the first part of its item was removed
    return undefined
  }
  const hasSameSiblings =
    hints['siblingsDigest'] ===
    (others.length === 0 ? undefined : digestParts(others.map((each) => each.part)))
  const isValid = part.signature?.vendor === SIGNATURE_VENDOR && isSignatureValid(part) && hasSameSiblings
  if (part.signature !== undefined && !isValid) {
    for (const { path } of itemParts) context.report('stale-signature', path)
    return undefined
  }
  const entries = hints['emptyReasoning'] === true && part.text === '' ? others : itemParts
  const isUnsigned = part.signature === undefined
  const summary = entries.filter((each) => each.part.summary === true)
  const content = entries.filter(
    (each) => each.part.summary !== true && !(each.part.redacted && each.part.text === ''),
  )
  if (hints['startsItem'] !== 'reasoning') context.report('reasoning-named', head.path)
  const made = {
    type: 'reasoning',
    ...(hints['startsItem'] !== 'reasoning' && {
      id: `rs_${digestText(part.signature?.value ?? '').slice(0, 40)}`,
    }),
    summary: summary.map((each) => ({ type: 'summary_text', text: each.part.text })),
    ...(content.length > 0 && {
      content: content.map((each) => ({ type: 'reasoning_text', text: each.part.text })),
    }),
    ...(!isUnsigned && { encrypted_content: part.signature?.value ?? '' }),
  }
  return applyResidue(made, part, DIALECT_SLOT)
}
