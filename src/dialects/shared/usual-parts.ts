// Most messages of a request have a usual form: nothing but text, calls and results, in the fields that the encoder writes.
// Their decoders recognize these forms and create the canonical values, which have no residue, without encoding and comparing
// them. Everything else is decoded as described in docs/internals/mechanism.md.
import { generateId, type IdentityOptions } from '../../canonical/build/ids-and-timestamps.ts'
import { type CallArguments, parseArguments } from '../../canonical/build/call-arguments.ts'
import type { Extra } from '../../canonical/model/extra.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part, TextPart, ToolCallPart, ToolResultPart } from '../../canonical/model/part.ts'
import { brand, freezeCopy, freezeOwned, isFrozenByUs } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'

const TEXT_BLOCK_KEYS = ['type', 'text']

/** Returns true for an object that has these keys of its own and no others. */
export function hasExactKeys(wire: JsonObject, keys: readonly string[]): boolean {
  let count = 0
  let last = ''
  for (const key in wire) {
    if (!keys.includes(key)) return false
    last = key
    count++
  }
  // Inherited keys follow own ones. To ask for the prototype takes several times as long.
  return count === keys.length && Object.hasOwn(wire, last)
}

/** Matches a character that is not white space. */
const visiblePattern = /\S/

/** Returns true for a text that is neither empty nor blank: encoders omit or change those. */
export function isVisibleText(value: Json | undefined): value is string {
  return typeof value === 'string' && visiblePattern.test(value)
}

/** Creates a text part; undefined for a value that is no visible text. */
export function createUsualText(text: Json | undefined): TextPart | undefined {
  return isVisibleText(text) ? brand<TextPart>({ type: 'text', text }) : undefined
}

/** Creates the text parts of blocks with a type and a text; undefined if there are none, or others. */
export function createUsualTexts(content: Json | undefined, type: string): readonly TextPart[] | undefined {
  if (!isList(content) || content.length === 0) return undefined
  const parts: TextPart[] = []
  for (const block of content) {
    const isText = isObject(block) && block['type'] === type && hasExactKeys(block, TEXT_BLOCK_KEYS)
    const part = isText ? createUsualText(block['text']) : undefined
    if (part === undefined) return undefined
    parts.push(part)
  }
  return parts
}

/** Creates a call from its arguments: JSON text, or an object. Returns undefined if the text is no object. `extra` is frozen. */
export function createUsualCall(
  id: string,
  name: string,
  received: string | JsonObject,
  extra?: Extra,
): ToolCallPart | undefined {
  const callArguments: CallArguments =
    typeof received === 'string' ? parseArguments(received) : { arguments: freezeCopy(received) }
  if (received === '' || callArguments.invalidArguments !== undefined) return undefined
  const call: ToolCallPart = Object.assign({ type: 'tool-call' as const, id, name }, callArguments)
  return brand(extra === undefined ? call : Object.assign(call, { extra }))
}

/** Creates the result of a call; undefined if it is no visible text. `others` are frozen. */
export function createUsualResult(
  callId: string,
  content: Json | undefined,
  others?: Pick<ToolResultPart, 'name' | 'extra'>,
): ToolResultPart | undefined {
  const text = createUsualText(content)
  if (text === undefined) return undefined
  const result: ToolResultPart = { type: 'tool-result', callId, content: Object.freeze([text]) }
  return brand(others === undefined ? result : Object.assign(result, others))
}

/** Creates a message. A new list of frozen parts is frozen in place; any other is copied. */
export function createUsualMessage(role: Role, parts: readonly Part[], options: IdentityOptions): Message {
  const message = { id: generateId('msg', options), role, content: parts } as Message
  if (!parts.every(isFrozenByUs)) return freezeOwned(message)
  Object.freeze(parts)
  return brand(message)
}
