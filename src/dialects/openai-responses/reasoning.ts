import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { digestJson, digestText } from '../../wire/digest.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import { applyResidue, createHintExtra, getHints, attachResidue } from '../engine/residue-slots.ts'
import type { PartWithPath } from './assistant-message.ts'
import { DIALECT_VENDOR, DIALECT_SLOT } from './constants.ts'
import type { OpenAIResponsesHints } from './hints.ts'

/**
 * Decodes a reasoning item: one part for each summary and each text, or one empty part. The first part has
 * the residue of the item and the signature of all its parts.
 */
export function decodeReasoning(
  wire: JsonObject,
  neighborHints: OpenAIResponsesHints,
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
    extra: createHintExtra(DIALECT_SLOT, { continuesItem: true }),
  }))
  const signedHead = isSigned ? attachSignature(head, { vendor: DIALECT_VENDOR, value: token }) : head
  const headWithResidue = attachResidue(signedHead, DIALECT_SLOT, hints, wire, (each) => {
    const placedParts = [each, ...rest].map((part) => ({ part, path: undefined }))
    return encodeReasoning(placedParts, noReport)
  })
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
  return startsItem === 'reasoning' || continuesItem === true || part.signature?.vendor === DIALECT_VENDOR
}

/** Returns true for readable reasoning of another vendor that an answer shows as a summary. */
export function isShownAsSummary(part: ReasoningPart, { policy }: EncodeContext): boolean {
  return policy.foreignReasoning === 'native' && part.text !== '' && !part.redacted && !isOwnReasoning(part)
}

/** The summary of an item of its own, without text. */
export const emptySummary: ReasoningPart = {
  type: 'reasoning',
  text: '',
  summary: true,
  extra: createHintExtra(DIALECT_SLOT, { startsItem: 'reasoning' }),
}

/** Returns reasoning of another vendor as the summary of an item of its own. Reports its signature and cache marker. */
export function createSummary(
  { text, signature, cache }: ReasoningPart,
  path: Path | undefined,
  context: EncodeContext,
): ReasoningPart {
  if (signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
  if (cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  return { ...emptySummary, text }
}

/**
 * Encodes the parts of one reasoning item; returns undefined if their signature is no longer valid or their
 * first part is missing.
 */
export function encodeReasoning(
  itemParts: readonly PartWithPath<ReasoningPart>[],
  context: EncodeContext,
): JsonObject | undefined {
  const [head, ...others] = itemParts
  if (head === undefined) return undefined
  for (const { part, path } of itemParts) {
    if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
  }
  const { text, signature } = head.part
  const hints = getHints(head.part, DIALECT_SLOT)
  const isItemStart = hints['startsItem'] === 'reasoning'
  if (!isItemStart && signature === undefined) {
    context.report('unpaired-reasoning', head.path) // the first part of its item was removed
    return undefined
  }
  if (signature !== undefined && !isSignedItem(head.part, others)) {
    for (const { path } of itemParts) context.report('stale-signature', path)
    return undefined
  }
  const entries = (hints['emptyReasoning'] === true && text === '' ? others : itemParts).map(
    ({ part }) => part,
  )
  const summary = entries
    .filter((part) => part.summary === true)
    .map((part) => ({ type: 'summary_text', text: part.text }))
  const content = entries
    .filter((part) => part.summary !== true && !(part.redacted && part.text === ''))
    .map((part) => ({ type: 'reasoning_text', text: part.text }))
  if (!isItemStart) context.report('reasoning-named', head.path)
  const made = {
    type: 'reasoning',
    ...(!isItemStart && { id: `rs_${digestText(signature?.value ?? '').slice(0, 40)}` }),
    summary,
    ...(content.length > 0 && { content }),
    ...(signature !== undefined && { encrypted_content: signature.value }),
  }
  return applyResidue(made, head.part, DIALECT_SLOT)
}

/** Returns true if OpenAI signed the parts of an item as they are. */
function isSignedItem(head: ReasoningPart, others: readonly PartWithPath<ReasoningPart>[]): boolean {
  const siblings = others.length === 0 ? undefined : digestParts(others.map(({ part }) => part))
  const hasSameSiblings = getHints(head, DIALECT_SLOT)['siblingsDigest'] === siblings
  return head.signature?.vendor === DIALECT_VENDOR && isSignatureValid(head) && hasSameSiblings
}
