import { attachSignature } from '../../canonical/build/parts.ts'
import type { ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { digestJson } from '../../wire/digest.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { isShownAsReasoning } from '../engine/content-fallback.ts'
import { type EncodeContext, noReport } from '../engine/encode-context.ts'
import type { ReasoningItemHint } from '../engine/residue-hints.ts'
import { attachResidue, createHintExtra, getHints, type Slot } from '../engine/residue-slots.ts'

/** A part and its path in the request or response. */
export interface PartWithPath<T> {
  readonly part: T
  readonly path: Path | undefined
}

/** What an item contains: its texts as parts, its signature, and hints for its first part. */
interface ReceivedReasoning {
  readonly parts: readonly ReasoningPart[]
  readonly signature: Json | undefined
  readonly hints?: JsonObject
}

/** Encodes the parts of one item; returns undefined if it cannot be sent. */
type ItemEncoder = (
  parts: readonly PartWithPath<ReasoningPart>[],
  context: EncodeContext,
) => JsonObject | undefined

/** Decodes the texts of an item, which have a type each; returns undefined if there are other values. */
export function readItemTexts(wire: Json | undefined, type: string): readonly string[] | undefined {
  if (!isList(wire)) return undefined
  const texts = wire.map((entry) => (isObject(entry) && entry['type'] === type ? entry['text'] : undefined))
  return texts.every((text) => typeof text === 'string') ? texts : undefined
}

/** Reasoning of a format in which one item of a turn contains several texts, and one signature of all of them. */
export class ReasoningItemCodec {
  /** The type of the item on the wire. */
  readonly itemType: string
  /** The summary of an item of its own, without text. */
  readonly emptySummary: ReasoningPart
  readonly #slot: Slot<ReasoningItemHint>
  /** The vendor in the signatures. */
  readonly #vendor: string

  constructor(slot: Slot<ReasoningItemHint>, itemType: string, vendor: string) {
    this.#slot = slot
    this.itemType = itemType
    this.#vendor = vendor
    const extra = createHintExtra(slot, { startsItem: itemType })
    this.emptySummary = { type: 'reasoning', text: '', summary: true, extra }
  }

  /**
   * Returns the parts of an item with their hints; an item without texts is one empty part. The first part has the
   * residue of the item and the signature of all its parts.
   */
  decode(
    { parts, signature, hints = {} }: ReceivedReasoning,
    wire: JsonObject,
    encode: ItemEncoder,
  ): readonly ReasoningPart[] {
    const isSigned = typeof signature === 'string' && signature !== ''
    const [first, ...others] = parts
    const head: ReasoningPart = first ?? { type: 'reasoning', text: '', ...(isSigned && { redacted: true }) }
    const itemHints = {
      ...hints,
      startsItem: this.itemType,
      ...(first === undefined && { emptyReasoning: true }),
      ...(others.length > 0 && { siblingsDigest: digestParts(others) }),
    }
    const continuing = createHintExtra(this.#slot, { continuesItem: true })
    const rest = others.map((part): ReasoningPart => ({ ...part, extra: continuing }))
    const signed = isSigned ? attachSignature(head, { vendor: this.#vendor, value: signature }) : head
    const headWithResidue = attachResidue(signed, this.#slot as Slot<string>, itemHints, wire, (each) => {
      const withPaths = [each, ...rest].map((part) => ({ part, path: undefined }))
      return encode(withPaths, noReport)
    })
    return [headWithResidue, ...rest]
  }

  /** Returns true if reasoning was received in this format or signed by its vendor. */
  isOwn(part: ReasoningPart): boolean {
    const { startsItem, continuesItem } = getHints(part, this.#slot)
    const isSigned = part.signature?.vendor === this.#vendor
    return isSigned || startsItem === this.itemType || continuesItem === true
  }

  /** Returns true for readable reasoning of another vendor that an answer shows as a summary. */
  isShown(part: ReasoningPart, context: EncodeContext): boolean {
    return isShownAsReasoning(part, context) && !this.isOwn(part)
  }

  /** Returns reasoning of another vendor as the summary of an item of its own. Reports its signature and cache marker. */
  toSummary(
    { text, signature, cache }: ReasoningPart,
    path: Path | undefined,
    context: EncodeContext,
  ): ReasoningPart {
    if (signature !== undefined) context.report('foreign-signature', child(path, 'signature'))
    if (cache !== undefined) context.report('cache-hint', child(path, 'cache'))
    return { ...this.emptySummary, text }
  }

  /**
   * Returns the parts that an item contains on the wire; undefined if the item cannot be sent, because its signature is
   * no longer valid or its first part is missing. Reports what is omitted.
   */
  selectParts(
    itemParts: readonly PartWithPath<ReasoningPart>[],
    context: EncodeContext,
  ): readonly ReasoningPart[] | undefined {
    const [head, ...others] = itemParts
    if (head === undefined) return undefined
    for (const { part, path } of itemParts)
      if (part.cache !== undefined) context.report('cache-hint', child(path, 'cache'))
    const { text, signature } = head.part
    const { startsItem, emptyReasoning, siblingsDigest } = getHints(head.part, this.#slot)
    if (startsItem !== this.itemType && signature === undefined) {
      for (const { path } of itemParts) context.report('unpaired-reasoning', path)
      return undefined
    }
    const siblings = others.length === 0 ? undefined : digestParts(others.map(({ part }) => part))
    const isSigned =
      signature?.vendor === this.#vendor && isSignatureValid(head.part) && siblingsDigest === siblings
    if (signature !== undefined && !isSigned) {
      for (const { path } of itemParts) context.report('stale-signature', path)
      return undefined
    }
    return (emptyReasoning === true && text === '' ? others : itemParts).map(({ part }) => part)
  }
}

function digestParts(others: readonly ReasoningPart[]): string {
  return digestJson(others.map(({ text, summary }) => [text, summary === true])).slice(0, 16)
}
