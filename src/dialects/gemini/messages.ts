import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isEmptyObject, isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import { pushAll } from '../engine/frame-reader-writer.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createOpaqueMessage, createOpaquePart } from '../shared/opaque-content.ts'
import { addHints, withResidue } from '../engine/residue-slots.ts'
import { type CallIdResolver, createCallIdResolver } from './call-ids.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { ReceivedTurn } from '../shared/turn-writer.ts'
import { type DecodedMessage, createFragment } from './message-fragments.ts'
import { decodePart, getPartDataKey } from './parts.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { GeminiHints } from './hints.ts'
import { createUsualMessage, hasExactKeys } from '../shared/usual-parts.ts'
import { decodeUsualPart } from './usual-form-decoder.ts'

/** A message that is being decoded. */
interface MessageDraft {
  readonly role: Role
  readonly parts: Part[]
  /** The parts as they were on the wire. */
  readonly wireParts: readonly Json[]
  readonly hints: GeminiHints
  /** The fields of the wire content apart from its parts. */
  readonly rest: JsonObject
  /** Further wire contents whose tool results were added to this message, with the role and parts of each. */
  readonly foldedContents: { readonly role: Json; readonly wireParts: readonly Json[] }[]
  /** True if the wire content has only tool results; results of the next content may then be added. */
  readonly isResultsOnly?: boolean
  /** The wire content of the message alone, if it has no other fields and needs no hint. */
  readonly usualContent?: JsonObject | undefined
}

const CONTENT_KEYS = ['role', 'parts']

/** Canonical roles by wire role; a content without a role is the user's. */
const roles: ReadonlyMap<unknown, 'user' | 'assistant'> = new Map([
  [undefined, 'user'],
  ['user', 'user'],
  ['function', 'user'],
  ['model', 'assistant'],
])

/** Decodes the `systemInstruction` field. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly DecodedMessage[] {
  const isText = typeof wire === 'string'
  const content = isText ? { parts: wire === '' ? [] : [{ text: wire }] } : isObject(wire) ? wire : {}
  const { parts: givenParts, ...rest }: JsonObject = content
  const wireParts = toPartList(givenParts)
  if (wireParts === undefined) return []
  const parts = decodeParts(wireParts, 'system', createCallIdResolver(options))
  const hints = isText ? { contentForm: 'string' } : createPartsFormHints(givenParts)
  return [createMessage({ role: 'system', parts, wireParts, hints, rest, foldedContents: [] }, options)]
}

/** Returns parts as a list; a single object becomes a list of one. Returns undefined for any other value. */
export function toPartList(wire: Json | undefined): readonly Json[] | undefined {
  return isList(wire) ? wire : isObject(wire) ? [wire] : undefined
}

export function createPartsFormHints(wire: Json | undefined): GeminiHints {
  if (!Array.isArray(wire)) return { contentForm: 'object' }
  return wire.length === 0 ? { contentForm: 'empty-list' } : {}
}

export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly DecodedMessage[] {
  const callIds = createCallIdResolver(options)
  const drafts: (MessageDraft | ReceivedTurn)[] = []
  /** The last message; undefined if the last content could not be decoded. */
  let previous: MessageDraft | undefined
  for (const [index, each] of itemsOf(wire).entries()) {
    const read = isObject(each) ? readContent(each, index === 0, previous, callIds) : undefined
    if (foldResults(read, previous)) continue
    pushAll(drafts, read ?? [{ wire: each }])
    previous = read?.at(-1)
  }
  return drafts.map((draft) =>
    'wire' in draft
      ? { message: createOpaqueMessage(DIALECT_SLOT, 'user', draft.wire, options), fragments: [draft] }
      : createMessage(draft, options),
  )
}

/** Decodes a content as one message, or as one message for each run of tool results and of other parts. */
function readContent(
  content: JsonObject,
  isFirst: boolean,
  previous: MessageDraft | undefined,
  callIds: CallIdResolver,
): readonly MessageDraft[] | undefined {
  const { parts, ...rest } = content
  const role = roles.get(rest['role'])
  const partList = toPartList(parts)
  if (role === undefined || partList === undefined) return undefined
  const runs =
    role === 'assistant'
      ? [{ role, parts: decodeParts(partList, role, callIds), wireParts: partList }]
      : splitIntoRuns(partList, callIds)
  // Fields are listed one by one, because Node 20 takes several times as long to spread them.
  return runs.map(({ role, parts: read, wireParts }, index) => {
    const hints = index > 0 ? { continuesWireMessage: true } : createHints(role, parts, isFirst, previous)
    const isResultsOnly = runs.length === 1 && role === 'tool'
    const fields = index > 0 ? {} : rest
    const isUsual = runs.length === 1 && hasExactKeys(content, CONTENT_KEYS) && isEmptyObject(hints)
    const usualContent = isUsual && content['role'] !== 'function' ? content : undefined
    return {
      role,
      parts: read,
      wireParts,
      hints,
      rest: fields,
      foldedContents: [],
      isResultsOnly,
      usualContent,
    }
  })
}

/** Creates the hints of a message that starts a wire content. */
function createHints(
  role: Role,
  wireParts: Json | undefined,
  isFirst: boolean,
  previous: MessageDraft | undefined,
): GeminiHints {
  const hints = createPartsFormHints(wireParts)
  // Without a hint, the message would be joined with the previous one.
  if (previous?.role === role && role !== 'user') return { ...hints, startsWireMessage: true }
  return role === 'assistant' && isFirst ? { ...hints, assistantFirst: true } : hints
}

/** Adds tool results that follow other tool results to the same message. A hint records the role of the content. */
function foldResults([read]: readonly MessageDraft[] = [], previous: MessageDraft | undefined): boolean {
  if (read?.isResultsOnly !== true || previous?.isResultsOnly !== true || 'contentForm' in read.hints)
    return false
  const { role = '', ...unknown } = read.rest
  const [first, ...others] = read.parts
  if (first === undefined || !isEmptyObject(unknown)) return false
  previous.parts.push(freezeOwned(addHints(first, DIALECT_SLOT, { contentRole: role })), ...others)
  previous.foldedContents.push({ role, wireParts: read.wireParts })
  return true
}

/** Decodes the parts of an assistant message or system message; a system message has text only. */
export function decodeParts(
  wire: readonly Json[],
  location: 'response' | 'assistant' | 'system',
  callIds: CallIdResolver,
): Part[] {
  let isFirstCall = true
  return wire.map((each) => {
    const part = decodePart(each, { location, callIds, isFirstCall })
    if (isApplicationCall(part)) isFirstCall = false
    return location === 'system' && part.type !== 'text' ? createOpaquePart(DIALECT_SLOT, each) : part
  })
}

/** Splits a user content with tool results into tool messages and user messages, in the order of the parts. */
function splitIntoRuns(
  wire: readonly Json[],
  callIds: CallIdResolver,
): readonly Pick<MessageDraft, 'role' | 'parts' | 'wireParts'>[] {
  const runs: { role: 'tool' | 'user'; parts: Part[]; wireParts: Json[] }[] = []
  for (const each of wire) {
    const part = decodeUserPart(each, callIds)
    const role = part.type === 'tool-result' ? 'tool' : 'user'
    const isAllowed = role === 'tool' || part.type === 'text' || 'source' in part
    const allowedPart = isAllowed ? part : createOpaquePart(DIALECT_SLOT, each)
    const run = runs.at(-1)
    if (run?.role === role) {
      run.parts.push(allowedPart)
      run.wireParts.push(each)
    } else runs.push({ role, parts: [allowedPart], wireParts: [each] })
  }
  return runs.length === 0 ? [{ role: 'user', parts: [], wireParts: [] }] : runs
}

function decodeUserPart(wire: Json, callIds: CallIdResolver): Part {
  const usual = decodeUsualPart(wire, { location: 'user', callIds })
  if (usual !== undefined) return usual
  const isResult = isObject(wire) && getPartDataKey(toCamelCaseKeys(wire)) === 'functionResponse'
  const part = decodePart(wire, { location: isResult ? 'tool' : 'user', callIds })
  return isResult || part.type !== 'tool-result' ? part : createOpaquePart(DIALECT_SLOT, wire)
}

/** Creates a message, with one fragment for each wire content that it was decoded from. */
function createMessage(
  { role, parts, wireParts, hints, rest, foldedContents, usualContent }: MessageDraft,
  options: DecodeOptions,
): DecodedMessage {
  if (usualContent !== undefined && foldedContents.length === 0)
    return { message: createUsualMessage(role, parts, options), fragments: [{ wire: usualContent }] }
  const decoded = { id: generateId('msg', options), role, content: parts } as Message
  // A message that continues a content has no fields of its own.
  const hasNoRole = role === 'system' || hints['continuesWireMessage'] === true
  const roleField = hasNoRole ? {} : { role: role === 'assistant' ? 'model' : 'user' }
  const message = freezeOwned(withResidue(decoded, DIALECT_SLOT, roleField, rest, hints))
  const others = foldedContents.map((each) => createFragment(message, each.wireParts, undefined, each.role))
  return { message, fragments: [createFragment(message, wireParts, undefined), ...others] }
}
