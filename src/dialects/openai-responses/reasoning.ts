import { sign } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import { digestJson, digestText } from '../../wire/digest.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { applyResidue, hintedExtra, hintsFor, keep } from '../unit.ts'
import { MAKER, SLOT } from './codes.ts'
import type { OpenAIResponsesHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

/** Thoughts of one item, and where they stand. */
type Thoughts = readonly { readonly part: ReasoningPart; readonly at: Path | undefined }[]

/**
 * Reads an item of thoughts: a part for each summary and each text, or an empty one. The first carries the item and what
 * vouches for all of them.
 */
export function decodeReasoning(
  wire: Wire,
  given: Hints<OpenAIResponsesHint>,
): readonly ReasoningPart[] | undefined {
  const { type, summary, content, encrypted_content: token } = wire
  const summaries = readTexts(summary, 'summary_text')
  const texts = content === undefined || content === null ? [] : readTexts(content, 'reasoning_text')
  if (type !== 'reasoning' || summaries === undefined || texts === undefined) return undefined
  const signed = typeof token === 'string' && token !== ''
  const [first, ...others]: readonly ReasoningPart[] = [
    ...summaries.map((text) => ({ type: 'reasoning', text, summary: true }) as const),
    ...texts.map((text) => ({ type: 'reasoning', text }) as const),
  ]
  const head: ReasoningPart = first ?? { type: 'reasoning', text: '', ...(signed && { redacted: true }) }
  const hints = {
    ...given,
    startsItem: 'reasoning',
    ...(first === undefined && { emptyReasoning: true }),
    ...(others.length > 0 && { siblingsDigest: digestOthers(others) }),
  }
  const rest = others.map((part): ReasoningPart => ({
    ...part,
    extra: hintedExtra(SLOT, { continuesItem: true }),
  }))
  const kept = keep(
    signed ? sign(head, { vendor: MAKER, value: token }) : head,
    SLOT,
    SLOT,
    hints,
    wire,
    (each) =>
      encodeReasoning(
        [each, ...rest].map((part) => ({ part, at: undefined })),
        silent,
      ),
  )
  return [kept, ...rest]
}

function readTexts(wire: Json | undefined, type: string): readonly string[] | undefined {
  if (!isList(wire)) return undefined
  const texts = wire.map((entry) => (isObject(entry) && entry['type'] === type ? entry['text'] : undefined))
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

function digestOthers(others: readonly ReasoningPart[]): string {
  return digestJson(others.map(({ text, summary }) => [text, summary === true])).slice(0, 16)
}

/** Whether thoughts are of this format: they came in an item of it, or its maker signed them. */
export function isOwn(part: ReasoningPart): boolean {
  const { startsItem, continuesItem } = hintsFor(part, SLOT)
  return startsItem === 'reasoning' || continuesItem === true || part.signature?.vendor === MAKER
}

/** Writes the thoughts of one item; undefined where what vouches for them no longer does. */
export function encodeReasoning(thoughts: Thoughts, encoding: Encoding): JsonObject | undefined {
  const [head, ...others] = thoughts
  if (head === undefined) return undefined
  for (const { part, at } of thoughts) {
    if (part.cache !== undefined) encoding.lose('cache-hint', below(at, 'cache'))
  }
  const { part } = head
  const hints = hintsFor(part, SLOT)
  if (hints['startsItem'] !== 'reasoning' && part.signature === undefined) {
    encoding.lose('unpaired-reasoning', head.at) // the item that it stood in is gone
    return undefined
  }
  const whole =
    hints['siblingsDigest'] ===
    (others.length === 0 ? undefined : digestOthers(others.map((each) => each.part)))
  const holds = part.signature?.vendor === MAKER && signatureHolds(part) && whole
  if (part.signature !== undefined && !holds) {
    for (const { at } of thoughts) encoding.lose('stale-signature', at)
    return undefined
  }
  const entries = hints['emptyReasoning'] === true && part.text === '' ? others : thoughts
  const unsigned = part.signature === undefined
  const summary = entries.filter((each) => each.part.summary === true)
  const content = entries.filter(
    (each) => each.part.summary !== true && !(each.part.redacted && each.part.text === ''),
  )
  if (hints['startsItem'] !== 'reasoning') encoding.lose('reasoning-named', head.at)
  const made = {
    type: 'reasoning',
    ...(hints['startsItem'] !== 'reasoning' && {
      id: `rs_${digestText(part.signature?.value ?? '').slice(0, 40)}`,
    }),
    summary: summary.map((each) => ({ type: 'summary_text', text: each.part.text })),
    ...(content.length > 0 && {
      content: content.map((each) => ({ type: 'reasoning_text', text: each.part.text })),
    }),
    ...(!unsigned && { encrypted_content: part.signature?.value ?? '' }),
  }
  return applyResidue(made, part, SLOT)
}
