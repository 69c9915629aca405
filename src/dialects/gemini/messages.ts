import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createOpaqueContent } from '../shared/opaque-message.ts'
import { addHints, withResidue } from '../engine/residue-slots.ts'
import { type CallIdResolver, createCallIdResolver } from './call-ids.ts'
import { DIALECT_SLOT } from './constants.ts'
import {
  type DecodedMessage,
  createFragment,
  createContinuationFragment,
  type UndecodedTurn,
} from './message-fragments.ts'
import { decodePart, getDataKey, createOpaquePart } from './parts.ts'
import { toCamelCaseKeys } from './key-casing.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { GeminiHints } from './hints.ts'

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
}

/** Canonical roles by wire role; a content without a role is the user's. */
const roles: ReadonlyMap<unknown, 'user' | 'assistant'> = new Map([
  [undefined, 'user'],
  ['user', 'user'],
  ['function', 'user'],
  ['model', 'assistant'],
])

/** Decodes the `systemInstruction` field. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly DecodedMessage[] {
  if (typeof wire === 'string')
    return createSystemMessages(wire === '' ? [] : [{ text: wire }], { contentForm: 'string' }, {}, options)
  if (!isObject(wire)) return []
  const { parts: wireParts, ...rest } = wire
  const partList = toList(wireParts)
  return partList === undefined
    ? []
    : createSystemMessages(partList, createFormHints(wireParts), rest, options)
}

function createSystemMessages(
  wireParts: readonly Json[],
  hints: GeminiHints,
  rest: JsonObject,
  options: DecodeOptions,
): readonly DecodedMessage[] {
  const parts = decodeParts(wireParts, 'system', createCallIdResolver())
  return [createMessage({ role: 'system', parts, wireParts, hints, rest, foldedContents: [] }, options)]
}

/** Returns parts as a list; a single object becomes a list of one. Returns undefined for any other value. */
export function toList(wire: Json | undefined): readonly Json[] | undefined {
  return isList(wire) ? wire : isObject(wire) ? [wire] : undefined
}

export function createFormHints(wire: Json | undefined): GeminiHints {
  if (!Array.isArray(wire)) return { contentForm: 'object' }
  return wire.length === 0 ? { contentForm: 'empty-list' } : {}
}

/** Decodes the conversation; returns undefined if it is not a list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly DecodedMessage[] | undefined {
  if (!isList(wire)) return undefined
  const callIds = createCallIdResolver()
  const drafts: (MessageDraft | UndecodedTurn)[] = []
  for (const [index, each] of wire.entries()) {
    const previous = getLastDraft(drafts)
    const read = isObject(each) ? readContent(each, previous, callIds) : undefined
    if (read === undefined) drafts.push({ wire: each })
    else if (!foldResults(read, previous)) drafts.push(...(index === 0 ? read.map(markAsFirst) : read))
  }
  return drafts.map((draft) =>
    'wire' in draft ? createUndecodedMessage(draft, options) : createMessage(draft, options),
  )
}

/** Returns the previous message draft; undefined if the previous content could not be decoded. */
function getLastDraft(drafts: readonly (MessageDraft | UndecodedTurn)[]): MessageDraft | undefined {
  const last = drafts.at(-1)
  return last === undefined || 'wire' in last ? undefined : last
}

/** Wraps a content that cannot be decoded in an opaque message. */
function createUndecodedMessage(turn: UndecodedTurn, options: DecodeOptions): DecodedMessage {
  const content = createOpaqueContent(DIALECT_SLOT, turn.wire)
  const message = freezeOwned({ id: generateId('msg', options), role: 'user', content } as Message)
  return { message, fragments: [turn] }
}

/** Adds a hint to an assistant message that starts the conversation, which the API rejects today. */
function markAsFirst(draft: MessageDraft): MessageDraft {
  return draft.role === 'assistant' ? { ...draft, hints: { ...draft.hints, assistantFirst: true } } : draft
}

/** Decodes a content as one message, or as one message for each run of tool results and of other parts. */
function readContent(
  { parts, ...rest }: JsonObject,
  previous: MessageDraft | undefined,
  callIds: CallIdResolver,
): readonly MessageDraft[] | undefined {
  const role = roles.get(rest['role'])
  const partList = toList(parts)
  if (role === undefined || partList === undefined) return undefined
  const runs =
    role === 'assistant'
      ? [{ role, parts: decodeParts(partList, role, callIds), wireParts: partList }]
      : splitIntoRuns(partList, callIds)
  // Fields are listed one by one, because Node 20 takes several times as long to spread them.
  return runs.map(({ role, parts: read, wireParts }, index) => {
    if (index > 0)
      return {
        role,
        parts: read,
        wireParts,
        hints: { continuesWireMessage: true },
        rest: {},
        foldedContents: [],
      }
    const form = createFormHints(parts)
    const hints = isJoinedByDefault(role, previous) ? { ...form, startsWireMessage: true } : form
    const isResultsOnly = runs.length === 1 && role === 'tool'
    return { role, parts: read, wireParts, hints, rest, foldedContents: [], isResultsOnly }
  })
}

/** Returns true if a message would be joined with the previous one without a hint. */
function isJoinedByDefault(role: Role, previous: MessageDraft | undefined): boolean {
  return previous?.role === role && role !== 'user'
}

/**
 * Adds tool results that follow other tool results to the same message. A hint on the first part of each
 * content records its role.
 */
function foldResults([read]: readonly MessageDraft[], previous: MessageDraft | undefined): boolean {
  if (read?.isResultsOnly !== true || previous?.isResultsOnly !== true || 'contentForm' in read.hints)
    return false
  const { role, ...unknown } = read.rest ?? {}
  const [first, ...rest] = read.parts
  const isKnownRole = role === undefined || role === 'user' || role === 'function'
  if (first === undefined || !isKnownRole || Object.keys(unknown).length > 0) return false
  previous.parts.push(freezeOwned(addHints(first, DIALECT_SLOT, { contentRole: role ?? '' })), ...rest)
  previous.foldedContents.push({ role: role ?? '', wireParts: read.wireParts })
  return true
}

/** The part types that a message of each role may contain; other parts become opaque. */
const allowedPartTypes: { readonly [role in Role]: ReadonlySet<string> } = {
  system: new Set(['text', 'opaque']),
  developer: new Set(['text', 'opaque']),
  user: new Set(['text', 'image', 'audio', 'video', 'file', 'opaque']),
  tool: new Set(['tool-result']),
  assistant: new Set([
    'text',
    'image',
    'audio',
    'video',
    'file',
    'opaque',
    'reasoning',
    'tool-call',
    'tool-result',
  ]),
}

/** Decodes the parts of an assistant message or system message. */
export function decodeParts(
  wire: readonly Json[],
  location: 'response' | 'assistant' | 'system',
  callIds: CallIdResolver,
  hasNoCallBefore = true,
): Part[] {
  const allowedTypes = allowedPartTypes[location === 'system' ? 'system' : 'assistant']
  let isFirstCall = hasNoCallBefore
  return wire.map((each) => {
    const part = decodePart(each, { location, callIds, isFirstCall })
    if (isApplicationCall(part)) isFirstCall = false
    return allowedTypes.has(part.type) ? part : createOpaquePart(each)
  })
}

/** Splits a user content with tool results into tool messages and user messages, in the order of the parts. */
function splitIntoRuns(
  wire: readonly Json[],
  callIds: CallIdResolver,
): readonly Pick<MessageDraft, 'role' | 'parts' | 'wireParts'>[] {
  const runs: { role: 'tool' | 'user'; parts: Part[]; wireParts: Json[] }[] = []
  for (const each of wire) {
    const isResult = isObject(each) && getDataKey(toCamelCaseKeys(each)) === 'functionResponse'
    const part = decodePart(each, { location: isResult ? 'tool' : 'user', callIds })
    const role = isResult && part.type === 'tool-result' ? 'tool' : 'user'
    const allowedPart = allowedPartTypes[role].has(part.type) ? part : createOpaquePart(each)
    const run = runs.at(-1)
    if (run?.role === role) {
      run.parts.push(allowedPart)
      run.wireParts.push(each)
    } else runs.push({ role, parts: [allowedPart], wireParts: [each] })
  }
  return runs.length === 0 ? [{ role: 'user', parts: [], wireParts: [] }] : runs
}

/** Creates a message, with one fragment for each wire content that it was decoded from. */
function createMessage(
  { role, parts, wireParts, hints, rest, foldedContents }: MessageDraft,
  options: DecodeOptions,
): DecodedMessage {
  const decoded = { id: generateId('msg', options), role, content: parts } as Message
  // A message that continues a content has no fields of its own.
  const isContinuation = hints['continuesWireMessage'] === true
  const roleField = role === 'system' ? {} : { role: role === 'assistant' ? 'model' : 'user' }
  const message = freezeOwned(
    withResidue(decoded, DIALECT_SLOT, isContinuation ? {} : roleField, isContinuation ? {} : rest, hints),
  )
  const others = foldedContents.map((each) =>
    createContinuationFragment(message, each.role, each.wireParts, undefined),
  )
  return { message, fragments: [createFragment(message, wireParts, undefined), ...others] }
}
