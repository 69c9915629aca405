import { digestJson } from '../../wire/digest.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part, PartType, ToolCallPart } from '../model/part.ts'

/** What says nothing about the content: bookkeeping, hints, and what one wire format adds. */
const NON_CONTENT_KEYS: ReadonlySet<string> = new Set([
  'extra',
  'metadata',
  'cache',
  'signature',
  'rawArguments',
])

/** The field of each part type that contains bookkeeping of its own. */
const nestedFields: { readonly [type in PartType]: 'content' | 'citations' | undefined } = {
  text: 'citations',
  'tool-result': 'content',
  image: undefined,
  audio: undefined,
  video: undefined,
  file: undefined,
  reasoning: undefined,
  'tool-call': undefined,
  json: undefined,
  refusal: undefined,
  opaque: undefined,
}

/** A part's content alone, as plain JSON: what two parts must share to say the same. */
function contentOfPart(part: Part): JsonObject {
  const entries: [string, Json][] = []
  for (const [key, value] of Object.entries(part) as [string, Json][]) {
    if (NON_CONTENT_KEYS.has(key)) continue
    const isNested = key === nestedFields[part.type]
    if (isNested && part.type === 'tool-result') entries.push([key, part.content.map(contentOfPart)])
    else entries.push([key, isNested ? omitCitationExtra(value) : value])
  }
  return Object.fromEntries(entries)
}

/** A message's content alone: role, name and parts, but neither id, time, metadata, usage, finish, origin nor extra. */
export function contentOfMessage(message: Message): JsonObject {
  const { role, name, content } = message
  return { role, ...(name !== undefined && { name }), content: content.map(contentOfPart) }
}

/**
 * Digest of the content that a part's signature vouches for. A call's id is not part of it: hosts and repairs may
 * rename it, and no provider signs it.
 */
export function digestContent(part: Part): string {
  const content = contentOfPart(part)
  if (part.type !== 'tool-call') return digestJson(content)
  const { id: _id, ...rest } = content as JsonObject & Pick<ToolCallPart, 'id'>
  return digestJson(rest)
}

/** Whether a part's signature still vouches for what the part says. */
export function isSignatureValid(part: Part): boolean {
  return part.signature !== undefined && part.signature.contentDigest === digestContent(part)
}

function omitCitationExtra(citations: Json): Json {
  return (citations as readonly JsonObject[]).map(({ extra: _extra, ...citation }) => citation)
}
