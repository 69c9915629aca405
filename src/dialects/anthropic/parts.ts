import { sign } from '../../canonical/build/parts.ts'
import type {
  OpaquePart,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '../../canonical/model/part.ts'
import { signatureHolds } from '../../canonical/read/digest.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import { type Encoding, silent } from '../encoding.ts'
import { describeProviderCall } from '../shared/describe.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { decodeCitation, encodeCitation } from './citations.ts'
import { lifetimes, MAKER, providerCalls, providerResults, SLOT } from './codes.ts'
import { readMedia, writeMedia } from './media.ts'

type Wire = { readonly [key: string]: Json }

/** A part as the wire says it, with the forms to remember. */
export interface Read {
  readonly part: Part
  readonly hints?: Hints
}

const readers: { readonly [type: string]: (wire: Wire) => Read | undefined } = {
  text: readText,
  image: readMedia,
  document: readMedia,
  thinking: readThinking,
  redacted_thinking: readRedacted,
  tool_use: readCall,
  server_tool_use: readCall,
  mcp_tool_use: readCall,
  tool_result: readResult,
}

/** Reads a block; one that we do not model is kept as it is. */
export function decodeBlock(wire: Json): Part {
  const read = isObject(wire) ? readBlock(wire) : undefined
  const opaque: OpaquePart = { type: 'opaque', dialect: SLOT, value: wire }
  if (read === undefined || !isObject(wire)) return sealedCopy(opaque)
  const cached = withCache(read.part, wire)
  const hinted =
    read.hints === undefined ? cached : { ...cached, extra: { [SLOT]: { $: { hints: read.hints } } } }
  const made = encodeBlock(hinted, undefined, silent)
  // What would go out as another kind of block is not understood well enough to be taken apart.
  const understood = made !== undefined && made['type'] === wire['type']
  return sealedCopy(understood ? withResidue(cached, SLOT, made, wire, read.hints) : opaque)
}

function readBlock(wire: Wire): Read | undefined {
  const type = wire['type']
  if (providerResults.has(type)) return readProviderResult(wire)
  return typeof type === 'string' && Object.hasOwn(readers, type) ? readers[type]?.(wire) : undefined
}

function withCache(part: Part, { cache_control: control }: Wire): Part {
  if (!isObject(control) || control['type'] !== 'ephemeral') return part
  const ttl = lifetimes.fromWire(control['ttl'])
  return { ...part, cache: ttl === undefined ? {} : { ttl } }
}

/** Writes a part as a block; undefined where it leaves nothing to send. `spoken` is false outside of answers. */
export function encodeBlock(
  part: Part,
  at: Path | undefined,
  encoding: Encoding,
  spoken = true,
): JsonObject | undefined {
  const hints = hintsFor(part, SLOT)
  const made = writeBlock(part, hints, at, encoding, spoken)
  if (made === undefined || part.type === 'opaque') return made
  if (part.signature !== undefined && part.type !== 'reasoning')
    encoding.lose('foreign-signature', below(at, 'signature'))
  const ttl = part.cache?.ttl === undefined ? undefined : lifetimes.toWire(part.cache.ttl)
  const cached =
    part.cache === undefined ? made : { ...made, cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } }
  return applyResidue(cached, part, SLOT)
}

/** Writes parts as blocks, without those that leave nothing to send; `at` is where the list stands. */
export function encodeBlocks(
  parts: readonly Part[],
  at: Path | undefined,
  encoding: Encoding,
  spoken: boolean,
): JsonObject[] {
  const blocks: JsonObject[] = []
  for (const [index, part] of parts.entries()) {
    const block = encodeBlock(part, below(at, index), encoding, spoken)
    if (block !== undefined) blocks.push(block)
  }
  return blocks
}

function writeBlock(
  part: Part,
  hints: Hints,
  at: Path | undefined,
  encoding: Encoding,
  spoken: boolean,
): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return writeText(part, hints, at, encoding, spoken)
    case 'refusal':
      encoding.lose('refusal-as-text', at)
      return { type: 'text', text: part.text }
    case 'json':
      encoding.lose('json-as-text', at)
      return { type: 'text', text: JSON.stringify(part.value) }
    case 'image':
    case 'audio':
    case 'video':
    case 'file':
      return writeMedia(part, hints, at, encoding)
    case 'reasoning':
      return writeReasoning(part, hints, at, encoding)
    case 'tool-call':
      return writeCall(part, hints, at, encoding)
    case 'tool-result':
      return writeResult(part, hints, at, encoding)
    case 'opaque':
      if (part.dialect === SLOT && isObject(part.value)) return part.value
      encoding.lose('foreign-opaque', at)
      return undefined
  }
}

function readText({ text, citations }: Wire): Read | undefined {
  if (typeof text !== 'string') return undefined
  const cited = Array.isArray(citations) ? { citations: citations.map(decodeCitation) } : {}
  return { part: { type: 'text', text, ...cited }, ...(text === '' && { hints: { keep: true } }) }
}

function writeText(
  part: TextPart,
  hints: Hints,
  at: Path | undefined,
  encoding: Encoding,
  spoken: boolean,
): JsonObject | undefined {
  if (part.text === '' && hints['keep'] !== true) {
    encoding.lose('empty-text', at)
    return undefined
  }
  if (part.citations === undefined) return { type: 'text', text: part.text }
  if (!spoken) {
    if (part.citations.length > 0) encoding.lose('user-citation', below(at, 'citations'))
    return { type: 'text', text: part.text }
  }
  const citations = part.citations.flatMap((citation, index) => {
    return encodeCitation(citation, below(below(at, 'citations'), index), encoding) ?? []
  })
  return { type: 'text', text: part.text, citations }
}

/** Thoughts without a signature are odd, but kept: only the hint lets them out again. */
function readThinking({ thinking, signature }: Wire): Read | undefined {
  if (typeof thinking !== 'string') return undefined
  const part: ReasoningPart = { type: 'reasoning', text: thinking }
  if (typeof signature !== 'string' || signature === '') return { part, hints: { unsigned: true } }
  return { part: sign(part, { maker: MAKER, value: signature }) }
}

function readRedacted({ data }: Wire): Read | undefined {
  if (typeof data !== 'string') return undefined
  return {
    part: sign<ReasoningPart>({ type: 'reasoning', text: '', redacted: true }, { maker: MAKER, value: data }),
  }
}

function writeReasoning(
  part: ReasoningPart,
  hints: Hints,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject | undefined {
  const { text, signature, redacted } = part
  if (signature?.maker === MAKER && signatureHolds(part)) {
    return redacted
      ? { type: 'redacted_thinking', data: signature.value }
      : { type: 'thinking', thinking: text, signature: signature.value }
  }
  if (signature === undefined && hints['unsigned'] === true) return { type: 'thinking', thinking: text }
  const stale = signature?.maker === MAKER
  if (encoding.options.foreignReasoning === 'text' && text !== '') {
    encoding.lose('reasoning-as-text', at)
    return { type: 'text', text: `<thinking>\n${text}\n</thinking>` }
  }
  encoding.lose(stale ? 'stale-signature' : 'foreign-reasoning', at)
  return undefined
}

function readCall({ type, id, name, input }: Wire): Read | undefined {
  if (typeof id !== 'string' || typeof name !== 'string' || id === '' || name === '' || !isObject(input))
    return undefined
  const call: ToolCallPart = { type: 'tool-call', id, name, arguments: input }
  return providerCalls.has(type)
    ? { part: { ...call, executedBy: 'provider' }, hints: { kind: type as string } }
    : { part: call }
}

function writeCall(call: ToolCallPart, hints: Hints, at: Path | undefined, encoding: Encoding): JsonObject {
  const kind = hints['kind']
  if (call.executedBy === 'provider' && !providerCalls.has(kind)) {
    encoding.lose('foreign-provider-call', at)
    return { type: 'text', text: describeProviderCall(call) }
  }
  if (call.argumentsError !== undefined) encoding.lose('invalid-arguments', below(at, 'argumentsError'))
  const input = call.arguments ?? { INVALID_JSON: call.argumentsError ?? '' }
  const type = call.executedBy === 'provider' ? (kind as string) : 'tool_use'
  return { type, id: call.id, name: call.name, input }
}

function readResult({ tool_use_id: callId, content, is_error: isError }: Wire): Read | undefined {
  if (typeof callId !== 'string' || callId === '') return undefined
  const parts =
    typeof content === 'string'
      ? [decodeBlock({ type: 'text', text: content })]
      : Array.isArray(content)
        ? content.map(decodeBlock)
        : []
  const allowed = parts.filter(
    (part) => part.type !== 'reasoning' && part.type !== 'tool-call' && part.type !== 'tool-result',
  )
  if (allowed.length < parts.length) return undefined
  const part = {
    type: 'tool-result',
    callId,
    content: allowed,
    ...(isError === true && { isError }),
  } as ToolResultPart
  return { part, ...(typeof content === 'string' && { hints: { form: 'string' } }) }
}

/** A provider's own result is data in the provider's words; the hint says which block it came in. */
function readProviderResult({
  type,
  tool_use_id: callId,
  content,
  is_error: isError,
}: Wire): Read | undefined {
  if (typeof callId !== 'string' || callId === '' || content === undefined) return undefined
  const failed =
    isError === true ||
    (isObject(content) && typeof content['type'] === 'string' && content['type'].endsWith('_error'))
  const part: ToolResultPart = {
    type: 'tool-result',
    callId,
    content: [sealedCopy({ type: 'json', value: content })],
    ...(failed && { isError: true }),
  }
  return { part, hints: { kind: type as string } }
}

function writeResult(
  result: ToolResultPart,
  hints: Hints,
  at: Path | undefined,
  encoding: Encoding,
): JsonObject {
  const [only, ...others] = result.content
  const kind = hints['kind']
  if (providerResults.has(kind) && only?.type === 'json' && others.length === 0) {
    return { type: kind as string, tool_use_id: result.callId, content: only.value }
  }
  if (result.name !== undefined) encoding.lose('result-name', below(at, 'name'))
  const blocks = encodeBlocks(result.content, below(at, 'content'), encoding, false)
  const text = plainText(blocks)
  const content = hints['form'] === 'string' && text !== undefined ? text : blocks
  const empty = Array.isArray(content) && content.length === 0
  return {
    type: 'tool_result',
    tool_use_id: result.callId,
    ...(!empty && { content }),
    ...(result.isError && { is_error: true }),
  }
}

/** The text of blocks that are one plain text and nothing else. */
export function plainText(blocks: readonly JsonObject[]): string | undefined {
  const [only, ...others] = blocks
  if (only === undefined || others.length > 0 || Object.keys(only).length !== 2 || only['type'] !== 'text')
    return undefined
  return typeof only['text'] === 'string' ? only['text'] : undefined
}
