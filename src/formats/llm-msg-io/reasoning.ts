import { attachSignature } from '../../canonical/build/parts.ts'
import type { AssistantPart, ReasoningPart } from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import {
  getBlockText,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  readStringOrEmpty,
} from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'

const SEPARATOR = '\n'

/**
 * Reads reasoning. The blocks of Claude become parts with their signatures; the text, which repeats them, is read only if it
 * differs from theirs.
 */
export function readReasoning({ reasoning, extra }: JsonObject, path: Path): readonly ReasoningPart[] {
  const blocks = itemsOf(getNested(extra, 'claude', 'thinking_blocks')).flatMap((block) =>
    readThinking(block, path),
  )
  const text = typeof reasoning === 'string' ? reasoning : itemsOf(reasoning).map(readText).join(SEPARATOR)
  const repeated = joinTexts(blocks)
  if (text === '' || text === repeated) return blocks
  return [checkAndFreezePart<ReasoningPart>({ type: 'reasoning', text }, path), ...blocks]
}

function readText(part: Json): string {
  return isObject(part) ? getBlockText(part) : ''
}

function readThinking(block: Json, path: Path): readonly ReasoningPart[] {
  if (!isObject(block)) return []
  const { type, thinking, signature, data } = block
  if (type === 'redacted_thinking' && typeof data === 'string') {
    const part = checkAndFreezePart<ReasoningPart>({ type: 'reasoning', text: '', redacted: true }, path)
    return [attachSignature(part, { vendor: 'anthropic', value: data })]
  }
  if (type !== 'thinking' || typeof signature !== 'string') return []
  const part = checkAndFreezePart<ReasoningPart>(
    { type: 'reasoning', text: readStringOrEmpty(thinking) },
    path,
  )
  return [attachSignature(part, { vendor: 'anthropic', value: signature })]
}

/** Returns the text of reasoning parts, without hidden ones. */
export function joinTexts(parts: readonly ReasoningPart[]): string {
  return parts.flatMap(({ text }) => (text === '' ? [] : [text])).join(SEPARATOR)
}

/** Gives the thought signatures of Gemini to the calls of a message, and the remaining ones to its texts. */
export function signParts(
  parts: readonly AssistantPart[],
  extra: Json | undefined,
): readonly AssistantPart[] {
  const values = itemsOf(getNested(extra, 'gemini', 'thought_signatures'))
  const targets = listSignable(parts)
  const signed = new Map<AssistantPart, AssistantPart>()
  targets.forEach((part, index) => {
    const value = values[index]
    if (typeof value === 'string') signed.set(part, attachSignature(part, { vendor: 'google', value }))
  })
  return parts.map((part) => signed.get(part) ?? part)
}

/** The parts that can have a thought signature, in the order of the list: calls first, then texts. */
function listSignable(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  return [...parts.filter(({ type }) => type === 'tool-call'), ...parts.filter(({ type }) => type === 'text')]
}

/** Writes the signatures of a message, by the vendors that llm-msg-io has fields for. */
export function writeExtra(parts: readonly AssistantPart[]): JsonObject | undefined {
  const written = listWrittenSignatures(parts)
  const blocks = parts.flatMap((part): readonly JsonObject[] => {
    if (part.type !== 'reasoning' || part.signature === undefined || !written.has(part)) return []
    const { value } = part.signature
    return isHidden(part)
      ? [{ type: 'redacted_thinking', data: value }]
      : [{ type: 'thinking', thinking: part.text, signature: value }]
  })
  const values = listSignable(parts).flatMap((part) =>
    part.signature !== undefined && written.has(part) ? [part.signature.value] : [],
  )
  if (blocks.length === 0 && values.length === 0) return undefined
  return {
    ...(blocks.length > 0 && { claude: { thinking_blocks: blocks } }),
    ...(values.length > 0 && { gemini: { thought_signatures: values } }),
  }
}

/** Returns true for reasoning that becomes `redacted_thinking` if its signature is written. */
export function isHidden({ redacted, text }: ReasoningPart): boolean {
  return redacted === true && text === ''
}

/** Returns the parts whose signatures {@link writeExtra} writes. */
export function listWrittenSignatures(parts: readonly AssistantPart[]): ReadonlySet<AssistantPart> {
  const isSigned = (part: AssistantPart, vendor: string): boolean =>
    part.signature?.vendor === vendor && isSignatureValid(part)
  const written = new Set(parts.filter((part) => part.type === 'reasoning' && isSigned(part, 'anthropic')))
  // A list has no gaps: signatures after the first part without one cannot be assigned.
  for (const part of listSignable(parts)) {
    if (!isSigned(part, 'google')) break
    written.add(part)
  }
  return written
}

function getNested(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (found, key) => (isObject(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    value,
  )
}
