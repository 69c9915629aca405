import { digestJson } from '../../wire/digest.ts'
import type { Json, JsonObject } from '../../wire/json.ts'
import type { Message } from '../model/message.ts'
import type { Part, PartType, ToolCallPart } from '../model/part.ts'
import { withTypedErrors } from '../../wire/typed-errors.ts'

/** Keys that are not content: metadata, markers and residue. */
const NON_CONTENT_KEYS = new Set('extra metadata cache signature rawArguments'.split(' '))

/** The field of each part type that contains nested parts or citations with such keys. */
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

/** Returns the content of a part as plain JSON; parts with equal content are interchangeable. */
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

/** Returns the content of a message as plain JSON: role, name and parts. */
export function toComparableContent(message: Message): JsonObject {
  const { role, name, content } = message
  return { role, ...(name !== undefined && { name }), content: content.map(contentOfPart) }
}

/**
 * Returns the digest of the content that the signature of a part authenticates. The id of a call is not
 * included: hosts and repairs may change it, and no provider signs it.
 *
 * @example
 * digestContent(text('Hello')) === digestContent(text('Hello', { cache: {} })) // true
 */
export function digestContent(part: Part): string {
  return withTypedErrors(() => {
    const content = contentOfPart(part)
    if (part.type !== 'tool-call') return digestJson(content)
    const { id: _id, ...rest } = content as JsonObject & Pick<ToolCallPart, 'id'>
    return digestJson(rest)
  }, [part])
}

/**
 * Returns true if the signature of a part still matches its content.
 *
 * @example
 * const part = reasoning('The user wants…', { signature: { vendor: 'anthropic', value: 'EqQB…' } })
 * isSignatureValid(part) // true
 * isSignatureValid(updatePart(part, { text: 'Edited' })) // false
 */
export function isSignatureValid(part: Part): boolean {
  return withTypedErrors(
    () => part.signature !== undefined && part.signature.contentDigest === digestContent(part),
    [part],
  )
}

function omitCitationExtra(citations: Json): Json {
  return (citations as readonly JsonObject[]).map(({ extra: _extra, ...citation }) => citation)
}
