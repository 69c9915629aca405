import { attachSignature } from '../../canonical/build/parts.ts'
import type {
  CacheHint,
  MediaPart,
  OpaquePart,
  Part,
  ReasoningPart,
  RefusalPart,
  Signature,
  TextPart,
} from '../../canonical/model/part.ts'
import { isSignatureValid } from '../../canonical/read/content-digest.ts'
import { checkAndFreezePart } from '../../canonical/shape/part.ts'
import { applyResidue, attachResidue, getHints } from '../../dialects/engine/residue-slots.ts'
import {
  getOwnValue,
  isEmptyObject,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
} from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { type FormatReporter, silentReporter } from '../engine/format-loss-reporter.ts'
import type { PartWriter } from '../engine/message-format.ts'
import { readAnnotation, writeAnnotations } from './annotations.ts'
import { LANGCHAIN_SLOT, NAME } from './constants.ts'
import { readMediaBlock, writeMediaBlock } from './media-blocks.ts'

/** The parts that content blocks represent; calls and results have fields of their own. */
export type BlockPart = TextPart | ReasoningPart | RefusalPart | MediaPart | OpaquePart

/** Returns the own fields of a block, which are kept below `extras` as version 1 has it. */
export function readOwnFields({ extras }: JsonObject): JsonObject {
  const own = isObject(extras) ? getOwnValue(extras, 'interlingua') : undefined
  return isObject(own) ? (own as JsonObject) : {}
}

/** Reads a content block that is neither a call nor a result; a block of unknown type is kept as it is. */
export function readBlock(wire: Json, path: Path, isAssistant: boolean): BlockPart {
  if (typeof wire === 'string') return checkAndFreezePart({ type: 'text', text: wire }, path)
  const block = isObject(wire) ? wire : undefined
  const found = block && readFields(block, isAssistant)
  if (block === undefined || found === undefined)
    return checkAndFreezePart({ type: 'opaque', dialect: NAME, value: wire }, path)
  const { part, form } = found
  const cache = readCache(block['cache_control'])
  const checked = checkAndFreezePart({ ...part, ...(cache && { cache }) }, path)
  const signature = readSignature(block)
  const signed = signature === undefined ? checked : attachSignature(checked, signature)
  const hints = form === undefined ? {} : { mediaForm: form }
  return attachResidue(signed, LANGCHAIN_SLOT, hints, block, (unit) =>
    writeBlock(unit, undefined, silentReporter),
  )
}

function readFields(
  block: JsonObject,
  isAssistant: boolean,
): { readonly part: BlockPart; readonly form?: string } | undefined {
  const own = readOwnFields(block)
  const { type, reasoning, thinking, source_type: sourceType } = block
  // Joined chunks of an empty text have only its other fields.
  const text = block['text'] ?? (isEmptyObject(own) ? undefined : '')
  if (type === 'text' && typeof text === 'string' && sourceType === undefined) {
    if (isAssistant && own['refusal'] === true) return { part: { type: 'refusal', text } }
    const citations = itemsOf(block['annotations']).map(readAnnotation)
    return { part: { type: 'text', text, ...(citations.length > 0 && { citations }) } }
  }
  if (isAssistant) {
    const { summary, redacted } = own
    const marks = { ...(summary === true && { summary }), ...(redacted === true && { redacted }) }
    if (type === 'reasoning' && typeof reasoning === 'string')
      return { part: { type: 'reasoning', text: reasoning, ...marks } }
    if (type === 'thinking' && typeof thinking === 'string')
      return { part: { type: 'reasoning', text: thinking, ...marks } }
    if (type === 'redacted_thinking') return { part: { type: 'reasoning', text: '', redacted: true } }
  }
  const found = readMediaBlock(block)
  if (found === undefined) return undefined
  const metadata = isObject(block['metadata']) ? block['metadata'] : {}
  const details = ['detail', 'transcript', 'name'].flatMap((key) => {
    const value = getOwnValue(metadata, key)
    return typeof value === 'string' ? [[key, value] as const] : []
  })
  return { part: { ...found.media, ...Object.fromEntries(details) } as MediaPart, form: found.form }
}

const CACHE_LIFETIMES = { short: '5m', long: '1h' } as const

function readCache(control: Json | undefined): CacheHint | undefined {
  if (!isObject(control) || control['type'] !== 'ephemeral') return undefined
  const ttl = (['short', 'long'] as const).find((each) => CACHE_LIFETIMES[each] === control['ttl'])
  return ttl === undefined ? {} : { ttl }
}

/** Reads the token of a block: that of Anthropic is a field of the block, others are own fields. */
function readSignature(block: JsonObject): Omit<Signature, 'contentDigest'> | undefined {
  const { type, signature, data } = block
  if (type === 'redacted_thinking' && typeof data === 'string') return { vendor: 'anthropic', value: data }
  if (type === 'thinking' && typeof signature === 'string') return { vendor: 'anthropic', value: signature }
  const own = readOwnFields(block)['signature']
  if (!isObject(own)) return undefined
  const { vendor, value } = own
  return typeof vendor === 'string' && typeof value === 'string' ? { vendor, value } : undefined
}

/** Writes a part as a content block; undefined for a block of another format. */
export const writeBlock: PartWriter = (part, path, report) => {
  const own: Record<string, Json> = {}
  if (part.signature !== undefined) {
    const { vendor, value } = part.signature
    if (!isSignatureValid(part)) report.add('stale-signature', child(path, 'signature'))
    else if (!isThinking(part)) own['signature'] = { vendor, value }
  }
  const block = writeFields(part, own, path, report)
  if (block === undefined || part.type === 'opaque') return block
  const extras = isEmptyObject(own) ? undefined : { interlingua: own }
  const cacheControl = part.cache && {
    type: 'ephemeral',
    ...(part.cache.ttl !== undefined && { ttl: CACHE_LIFETIMES[part.cache.ttl] }),
  }
  const wire = omitUndefined({ ...block, cache_control: cacheControl, extras }) as JsonObject
  return applyResidue(wire, part, LANGCHAIN_SLOT)
}

/** Reasoning that Anthropic signed has block types of its own. */
function isThinking(part: Part): part is ReasoningPart & { readonly signature: Signature } {
  return part.type === 'reasoning' && part.signature?.vendor === 'anthropic' && isSignatureValid(part)
}

function writeFields(
  part: Part,
  own: Record<string, Json>,
  path: Path | undefined,
  report: FormatReporter,
): JsonObject | undefined {
  switch (part.type) {
    case 'text': {
      const annotations = writeAnnotations(part.citations, path, report)
      return { type: 'text', text: part.text, ...(annotations.length > 0 && { annotations }) }
    }
    case 'refusal':
      own['refusal'] = true
      return { type: 'text', text: part.text }
    case 'reasoning':
      if (isThinking(part) && part.redacted && part.text === '')
        return { type: 'redacted_thinking', data: part.signature.value }
      if (part.summary) own['summary'] = true
      if (part.redacted) own['redacted'] = true
      return isThinking(part)
        ? { type: 'thinking', thinking: part.text, signature: part.signature.value }
        : { type: 'reasoning', reasoning: part.text }
    case 'opaque':
      if (part.dialect === NAME && isObject(part.value)) return part.value
      report.add('foreign-opaque', path)
      return undefined
    case 'json':
      return { type: 'text', text: JSON.stringify(part.value) }
    case 'tool-call':
    case 'tool-result':
      return undefined
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return writeMedia(part)
  }
}

/** Writes media; fields that its form lacks are written as its metadata. */
function writeMedia(part: MediaPart): JsonObject {
  const form = getHints(part, LANGCHAIN_SLOT).mediaForm
  const block = writeMediaBlock(part, form)
  const { media } = readMediaBlock(block) ?? {}
  const missing = (['name', 'detail', 'transcript'] as const).flatMap((key) =>
    part[key] === undefined || media?.[key] === part[key] ? [] : [[key, part[key]] as const],
  )
  if (missing.length === 0) return block
  const given = isObject(block['metadata']) ? block['metadata'] : {}
  return { ...block, metadata: { ...given, ...Object.fromEntries(missing) } }
}
