import { attachSignature } from '../../canonical/build/parts.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { addHints, getHints } from '../../dialects/engine/residue-slots.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEmptyObject, isObject, type Json, type JsonObject, setKey } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { FormatReporter } from '../engine/format-loss-reporter.ts'
import { DARTANTIC_SLOT, THINKING_FIELD, THINKING_BLOCK_FIELD } from './constants.ts'

/** The parts of an answer, and its metadata without reasoning. */
interface AnswerContent {
  readonly parts: readonly Part[]
  readonly metadata: JsonObject
}

/**
 * Moves the reasoning that dartantic keeps in the metadata of an answer to the parts: the thinking block of Anthropic, whose
 * signature belongs to the thinking part with the same text, and the text of versions without thinking parts.
 */
export function readReasoning(parts: readonly Part[], metadata: JsonObject, path: Path): AnswerContent {
  const { [THINKING_BLOCK_FIELD]: block, [THINKING_FIELD]: thinking, ...rest } = metadata
  const { thinking: signedText, signature: value } = isObject(block) ? block : {}
  if (typeof signedText === 'string' && typeof value === 'string') {
    const signature = { vendor: 'anthropic', value }
    const kept = { ...rest, ...(thinking !== undefined && { [THINKING_FIELD]: thinking }) }
    const found = parts.find((part) => part.type === 'reasoning' && part.text === signedText)
    if (found !== undefined)
      return {
        parts: parts.map((part) => (part === found ? attachSignature(part, signature) : part)),
        metadata: kept,
      }
    const added = attachSignature(createReasoning(signedText, THINKING_BLOCK_FIELD, path), signature)
    return { parts: [added, ...parts], metadata: kept }
  }
  const isFirst = !parts.some(({ type }) => type === 'reasoning')
  if (typeof thinking !== 'string' || thinking === '' || !isFirst) return { parts, metadata }
  const kept = { ...rest, ...(block !== undefined && { [THINKING_BLOCK_FIELD]: block }) }
  return { parts: [createReasoning(thinking, THINKING_FIELD, path), ...parts], metadata: kept }
}

function createReasoning(text: string, place: string, path: Path): ReasoningPart {
  const part = checkAndFreezePart<ReasoningPart>({ type: 'reasoning', text }, child(path, 'metadata'))
  return freezeOwned(addHints(part, DARTANTIC_SLOT, { place }))
}

/** Returns true for reasoning that the metadata contains, and not the parts. */
export function isInMetadata(part: Part): boolean {
  return part.type === 'reasoning' && typeof getHints(part, DARTANTIC_SLOT).place === 'string'
}

/** Writes the metadata of a message, with the reasoning that belongs there. Other signatures are reported. */
export function writeMetadata(message: Message, path: Path, report: FormatReporter): JsonObject {
  const metadata: Record<string, Json> = {}
  for (const [key, value] of Object.entries(message.metadata ?? {})) setKey(metadata, key, value)
  let hasBlock = false
  message.content.forEach((part: Part, index) => {
    const at = child(child(child(path, 'content'), index), 'signature')
    if (part.type === 'reasoning' && getHints(part, DARTANTIC_SLOT).place === THINKING_FIELD)
      metadata[THINKING_FIELD] = part.text
    const isOwn = part.type === 'reasoning' && part.redacted === undefined && !hasBlock
    const isSigned = isOwn && part.signature?.vendor === 'anthropic' && isSignatureValid(part)
    if (isSigned || (isOwn && getHints(part, DARTANTIC_SLOT).place === THINKING_BLOCK_FIELD)) {
      const value = isSigned ? part.signature?.value : undefined
      metadata[THINKING_BLOCK_FIELD] = {
        thinking: part.text,
        ...(value !== undefined && { signature: value }),
      }
      hasBlock = true
    }
    if (part.signature !== undefined && !isSigned) report.add('signature-dropped', at)
  })
  return isEmptyObject(metadata) ? {} : metadata
}
