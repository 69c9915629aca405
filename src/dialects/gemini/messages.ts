import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
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
import type { GeminiHint } from './hints.ts'

/** A message that is being read: its parts and forms, and what else its content says. */
interface MessageDraft {
  readonly role: Role
  readonly parts: Part[]
  /** The parts as they came. */
  readonly wireParts: readonly Json[]
  readonly hints: Hints<GeminiHint>
  /** What its content says beside the parts. */
  readonly rest: JsonObject
  /** Results that wireParts in contents of their own: the role that each of these had, and its parts. */
  readonly foldedContents: { readonly role: Json; readonly wireParts: readonly Json[] }[]
  /** Whether it is all of its content, and that is results: more of them may follow in the next one. */
  readonly isResultsOnly?: boolean
}

/** Our role for the one of a content; without one the user speaks. */
const roles: ReadonlyMap<unknown, 'user' | 'assistant'> = new Map([
  [undefined, 'user'],
  ['user', 'user'],
  ['function', 'user'],
  ['model', 'assistant'],
])

/** Reads the instructions before the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly DecodedMessage[] {
  if (typeof wire === 'string')
    return createSystemMessages(wire === '' ? [] : [{ text: wire }], { contentForm: 'string' }, {}, options)
  if (!isObject(wire)) return []
  const { parts: wireParts, ...rest } = wire
  const listed = toList(wireParts)
  return listed === undefined ? [] : createSystemMessages(listed, createFormHints(wireParts), rest, options)
}

function createSystemMessages(
  wireParts: readonly Json[],
  hints: Hints<GeminiHint>,
  rest: JsonObject,
  options: DecodeOptions,
): readonly DecodedMessage[] {
  const parts = decodeParts(wireParts, 'system', createCallIdResolver())
  return [createMessage({ role: 'system', parts, wireParts, hints, rest, foldedContents: [] }, options)]
}

/** Parts may be one object; undefined for anything else that is no list. */
export function toList(wire: Json | undefined): readonly Json[] | undefined {
  return isList(wire) ? wire : isObject(wire) ? [wire] : undefined
}

export function createFormHints(wire: Json | undefined): Hints<GeminiHint> {
  if (!Array.isArray(wire)) return { contentForm: 'object' }
  return wire.length === 0 ? { contentForm: 'empty-list' } : {}
}

/** Reads the conversation; undefined when it is no list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly DecodedMessage[] | undefined {
  if (!isList(wire)) return undefined
  const callIds = createCallIdResolver()
  const drafts: (MessageDraft | UndecodedTurn)[] = []
  for (const [index, each] of wire.entries()) {
    const before = lastDraft(drafts)
    const read = isObject(each) ? readContent(each, before, callIds) : undefined
    if (read === undefined) drafts.push({ wire: each })
    else if (!foldResults(read, before)) drafts.push(...(index === 0 ? read.map(markAsFirst) : read))
  }
  return drafts.map((draft) =>
    'wire' in draft ? createUndecodedMessage(draft, options) : createMessage(draft, options),
  )
}

/** What wireParts just before, if we could take it apart. */
function lastDraft(drafts: readonly (MessageDraft | UndecodedTurn)[]): MessageDraft | undefined {
  const last = drafts.at(-1)
  return last === undefined || 'wire' in last ? undefined : last
}

/** A content that we cannot take apart. */
function createUndecodedMessage(piece: UndecodedTurn, options: DecodeOptions): DecodedMessage {
  const content = createOpaqueContent(DIALECT_SLOT, piece.wire)
  const message = freezeOwned({ id: generateId('msg', options), role: 'user', content } as Message)
  return { message, fragments: [piece] }
}

/** An answer that begins a conversation says so: a request of today may not. */
function markAsFirst(draft: MessageDraft): MessageDraft {
  return draft.role === 'assistant' ? { ...draft, hints: { ...draft.hints, assistantFirst: true } } : draft
}

/** A content as one message, or as a message for each run of results and of other parts. */
function readContent(
  { parts, ...rest }: JsonObject,
  before: MessageDraft | undefined,
  callIds: CallIdResolver,
): readonly MessageDraft[] | undefined {
  const role = roles.get(rest['role'])
  const listed = toList(parts)
  if (role === undefined || listed === undefined) return undefined
  const runs =
    role === 'assistant'
      ? [{ role, parts: decodeParts(listed, role, callIds), wireParts: listed }]
      : splitIntoRuns(listed, callIds)
  // Named one by one: Node 20 takes several times as long to spread them.
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
    const hints = isSeparateContent(role, before) ? { ...form, startsWireMessage: true } : form
    const results = runs.length === 1 && role === 'tool'
    return { role, parts: read, wireParts, hints, rest, foldedContents: [], isResultsOnly: results }
  })
}

/** Whether a message would go into the content before it, without the hint that it was separate. */
function isSeparateContent(role: Role, before: MessageDraft | undefined): boolean {
  return before?.role === role && role !== 'user'
}

/** Results that follow results are the same round: each content is told by its first part. */
function foldResults([read]: readonly MessageDraft[], before: MessageDraft | undefined): boolean {
  if (read?.isResultsOnly !== true || before?.isResultsOnly !== true || 'contentForm' in read.hints)
    return false
  const { role, ...unknown } = read.rest ?? {}
  const [first, ...rest] = read.parts
  const fits = role === undefined || role === 'user' || role === 'function'
  if (first === undefined || !fits || Object.keys(unknown).length > 0) return false
  before.parts.push(freezeOwned(addHints(first, DIALECT_SLOT, { contentRole: role ?? '' })), ...rest)
  before.foldedContents.push({ role: role ?? '', wireParts: read.wireParts })
  return true
}

/** What may stand in a message of a role; anything else stays as it came. */
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

/** Reads the parts of an answer, or of instructions. */
export function decodeParts(
  wire: readonly Json[],
  location: 'response' | 'assistant' | 'system',
  callIds: CallIdResolver,
  isFirst = true,
): Part[] {
  const fits = allowedPartTypes[location === 'system' ? 'system' : 'assistant']
  let leads = isFirst
  return wire.map((each) => {
    const part = decodePart(each, { location, callIds, isFirstCall: leads })
    if (isApplicationCall(part)) leads = false
    return fits.has(part.type) ? part : createOpaquePart(each)
  })
}

/** A content of the user with results in it is a tool message and a user message, in the order of the parts. */
function splitIntoRuns(
  wire: readonly Json[],
  callIds: CallIdResolver,
): readonly Pick<MessageDraft, 'role' | 'parts' | 'wireParts'>[] {
  const runs: { role: 'tool' | 'user'; parts: Part[]; wireParts: Json[] }[] = []
  for (const each of wire) {
    const isResult = isObject(each) && getDataKey(toCamelCaseKeys(each)) === 'functionResponse'
    const part = decodePart(each, { location: isResult ? 'tool' : 'user', callIds })
    const role = isResult && part.type === 'tool-result' ? 'tool' : 'user'
    const kept = allowedPartTypes[role].has(part.type) ? part : createOpaquePart(each)
    const run = runs.at(-1)
    if (run?.role === role) {
      run.parts.push(kept)
      run.wireParts.push(each)
    } else runs.push({ role, parts: [kept], wireParts: [each] })
  }
  return runs.length === 0 ? [{ role: 'user', parts: [], wireParts: [] }] : runs
}

/** The message, and what it wireParts as: the parts of each content that it wireParts in. */
function createMessage(
  { role, parts, wireParts, hints, rest, foldedContents }: MessageDraft,
  options: DecodeOptions,
): DecodedMessage {
  const read = { id: generateId('msg', options), role, content: parts } as Message
  // What joins a content says nothing about it.
  const joins = hints['continuesWireMessage'] === true
  const spoken = role === 'system' ? {} : { role: role === 'assistant' ? 'model' : 'user' }
  const message = freezeOwned(withResidue(read, DIALECT_SLOT, joins ? {} : spoken, joins ? {} : rest, hints))
  const others = foldedContents.map((each) =>
    createContinuationFragment(message, each.role, each.wireParts, undefined),
  )
  return { message, fragments: [createFragment(message, wireParts, undefined), ...others] }
}
