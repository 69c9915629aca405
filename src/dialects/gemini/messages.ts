import { freshId } from '../../canonical/build/identity.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, isObject, type Json } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { wholeContent } from '../shared/whole.ts'
import { addHints, withResidue } from '../unit.ts'
import { type CallBook, callBook } from './call-book.ts'
import { SLOT } from './codes.ts'
import { type Came, fragment, further, type Unread } from './fragments.ts'
import { decodePart, kindOfPart, opaque } from './parts.ts'
import { camel, type Wire } from './spelling.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import type { GeminiHint } from './hints.ts'

/** A message that is being read: its parts and forms, and what else its content says. */
interface Draft {
  readonly role: Role
  readonly parts: Part[]
  /** The parts as they came. */
  readonly came: readonly Json[]
  readonly hints: Hints<GeminiHint>
  /** What its content says beside the parts. */
  readonly rest: Wire
  /** Results that came in contents of their own: the role that each of these had, and its parts. */
  readonly folded: { readonly role: Json; readonly came: readonly Json[] }[]
  /** Whether it is all of its content, and that is results: more of them may follow in the next one. */
  readonly results?: boolean
}

/** Our role for the one of a content; without one the user speaks. */
const roles: ReadonlyMap<unknown, 'user' | 'assistant'> = new Map([
  [undefined, 'user'],
  ['user', 'user'],
  ['function', 'user'],
  ['model', 'assistant'],
])

/** Reads the instructions before the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Came[] {
  if (typeof wire === 'string')
    return system(wire === '' ? [] : [{ text: wire }], { contentForm: 'string' }, {}, options)
  if (!isObject(wire)) return []
  const { parts: came, ...rest } = wire
  const listed = listOf(came)
  return listed === undefined ? [] : system(listed, formOf(came), rest, options)
}

function system(
  came: readonly Json[],
  hints: Hints<GeminiHint>,
  rest: Wire,
  options: DecodeOptions,
): readonly Came[] {
  const parts = decodeParts(came, 'system', callBook())
  return [build({ role: 'system', parts, came, hints, rest, folded: [] }, options)]
}

/** Parts may be one object; undefined for anything else that is no list. */
export function listOf(wire: Json | undefined): readonly Json[] | undefined {
  return isList(wire) ? wire : isObject(wire) ? [wire] : undefined
}

export function formOf(wire: Json | undefined): Hints<GeminiHint> {
  if (!Array.isArray(wire)) return { contentForm: 'object' }
  return wire.length === 0 ? { contentForm: 'empty-list' } : {}
}

/** Reads the conversation; undefined when it is no list. */
export function decodeMessages(wire: Json | undefined, options: DecodeOptions): readonly Came[] | undefined {
  if (!isList(wire)) return undefined
  const book = callBook()
  const drafts: (Draft | Unread)[] = []
  for (const [index, each] of wire.entries()) {
    const before = lastDraft(drafts)
    const read = isObject(each) ? readContent(each, before, book) : undefined
    if (read === undefined) drafts.push({ unread: each })
    else if (!fold(read, before)) drafts.push(...(index === 0 ? read.map(asFirst) : read))
  }
  return drafts.map((draft) => ('unread' in draft ? whole(draft, options) : build(draft, options)))
}

/** What came just before, if we could take it apart. */
function lastDraft(drafts: readonly (Draft | Unread)[]): Draft | undefined {
  const last = drafts.at(-1)
  return last === undefined || 'unread' in last ? undefined : last
}

/** A content that we cannot take apart. */
function whole(piece: Unread, options: DecodeOptions): Came {
  const content = wholeContent(SLOT, piece.unread)
  const message = sealOwn({ id: freshId('msg', options), role: 'user', content } as Message)
  return { message, pieces: [piece] }
}

/** An answer that begins a conversation says so: a request of today may not. */
function asFirst(draft: Draft): Draft {
  return draft.role === 'assistant' ? { ...draft, hints: { ...draft.hints, assistantFirst: true } } : draft
}

/** A content as one message, or as a message for each run of results and of other parts. */
function readContent(
  { parts, ...rest }: Wire,
  before: Draft | undefined,
  book: CallBook,
): readonly Draft[] | undefined {
  const role = roles.get(rest['role'])
  const listed = listOf(parts)
  if (role === undefined || listed === undefined) return undefined
  const runs =
    role === 'assistant'
      ? [{ role, parts: decodeParts(listed, role, book), came: listed }]
      : runsOf(listed, book)
  // Named one by one: Node 20 takes several times as long to spread them.
  return runs.map(({ role: speaker, parts: read, came }, index) => {
    if (index > 0)
      return { role: speaker, parts: read, came, hints: { continuesWireMessage: true }, rest: {}, folded: [] }
    const form = formOf(parts)
    const hints = isApart(speaker, before) ? { ...form, startsWireMessage: true } : form
    const results = runs.length === 1 && speaker === 'tool'
    return { role: speaker, parts: read, came, hints, rest, folded: [], results }
  })
}

/** Whether a message would go into the content before it, if it did not say that it came apart. */
function isApart(role: Role, before: Draft | undefined): boolean {
  return before?.role === role && role !== 'user'
}

/** Results that follow results are the same round: each content is told by its first part. */
function fold([read]: readonly Draft[], before: Draft | undefined): boolean {
  if (read?.results !== true || before?.results !== true || 'contentForm' in read.hints) return false
  const { role, ...unknown } = read.rest ?? {}
  const [first, ...rest] = read.parts
  const fits = role === undefined || role === 'user' || role === 'function'
  if (first === undefined || !fits || Object.keys(unknown).length > 0) return false
  before.parts.push(sealOwn(addHints(first, SLOT, { contentRole: role ?? '' })), ...rest)
  before.folded.push({ role: role ?? '', came: read.came })
  return true
}

/** What may stand in a message of a role; anything else stays as it came. */
const only: { readonly [role in Role]: ReadonlySet<string> } = {
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
  place: 'response' | 'assistant' | 'system',
  book: CallBook,
  isFirst = true,
): Part[] {
  const fits = only[place === 'system' ? 'system' : 'assistant']
  let leads = isFirst
  return wire.map((each) => {
    const part = decodePart(each, { place, book, leads })
    if (isOwnCall(part)) leads = false
    return fits.has(part.type) ? part : opaque(each)
  })
}

/** A content of the user with results in it is a tool message and a user message, in the order of the parts. */
function runsOf(wire: readonly Json[], book: CallBook): readonly Pick<Draft, 'role' | 'parts' | 'came'>[] {
  const runs: { role: 'tool' | 'user'; parts: Part[]; came: Json[] }[] = []
  for (const each of wire) {
    const isResult = isObject(each) && kindOfPart(camel(each)) === 'functionResponse'
    const part = decodePart(each, { place: isResult ? 'tool' : 'user', book })
    const role = isResult && part.type === 'tool-result' ? 'tool' : 'user'
    const kept = only[role].has(part.type) ? part : opaque(each)
    const run = runs.at(-1)
    if (run?.role === role) {
      run.parts.push(kept)
      run.came.push(each)
    } else runs.push({ role, parts: [kept], came: [each] })
  }
  return runs.length === 0 ? [{ role: 'user', parts: [], came: [] }] : runs
}

/** The message, and what it came as: the parts of each content that it came in. */
function build({ role, parts, came, hints, rest, folded }: Draft, options: DecodeOptions): Came {
  const read = { id: freshId('msg', options), role, content: parts } as Message
  // What joins a content says nothing about it.
  const joins = hints['continuesWireMessage'] === true
  const spoken = role === 'system' ? {} : { role: role === 'assistant' ? 'model' : 'user' }
  const message = sealOwn(withResidue(read, SLOT, joins ? {} : spoken, joins ? {} : rest, hints))
  const others = folded.map((each) => further(message, each.role, each.came, undefined))
  return { message, pieces: [fragment(message, came, undefined), ...others] }
}
