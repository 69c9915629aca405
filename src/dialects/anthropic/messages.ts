import { wireText } from '../shared/wire-text.ts'
import { freshId } from '../../canonical/build/identity.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import type { Encoding } from '../encoding.ts'
import type { Placed } from '../settle.ts'
import { OPENING } from '../shared/validity.ts'
import { wholeContent, wholeMessage } from '../shared/whole.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { decodePart, encodeParts, opaque } from './parts.ts'
import { plainText } from './text.ts'

type Wire = { readonly [key: string]: Json }
type WireRole = 'user' | 'assistant' | 'system'

const NOTHING: JsonObject = Object.freeze({})

/** What one of our messages is on the wire, before neighbours join. */
interface Fragment {
  readonly message: Message
  readonly role: WireRole
  readonly blocks: readonly Json[]
  readonly hints: Hints
  readonly at: Path | undefined
}

/** A message that we could not take apart, and the turn that it holds. */
interface Unread {
  readonly message: Message
  readonly unread: Json
}

/** A turn on the wire: of messages that join, or one that we could not take apart. */
type Turn = { readonly fragments: Fragment[] } | Unread

/** Neighbouring blocks of one turn that are one of our messages. */
interface Run {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly blocks: readonly Json[]
}

/** The conversation on the wire: leading instructions, and the turns. */
export interface WireConversation {
  readonly system?: Json
  readonly messages: readonly Json[]
}

/** Reads the instructions before the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Fragment[] {
  if (typeof wire === 'string') return [build(textRun('system', wire), { form: 'string' }, NOTHING, options)]
  if (!isList(wire)) return []
  return [build(runOf('system', wire), wire.length === 0 ? { form: 'list' } : NOTHING, NOTHING, options)]
}

/** Reads the turns; undefined when they are no list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly (Fragment | Unread)[] | undefined {
  if (!isList(wire)) return undefined
  const found: (Fragment | Unread)[] = []
  let before: unknown
  for (const [index, each] of wire.entries()) {
    const first = index === 0 && isObject(each) && each['role'] === 'assistant'
    found.push(...(isObject(each) ? readTurn(each, before, first, options) : [whole(each, options)]))
    before = isObject(each) ? each['role'] : undefined
  }
  return found
}

/** A message that we cannot take apart. */
function whole(wire: Json, options: DecodeOptions): Unread {
  const message = { id: freshId('msg', options), role: 'user', content: wholeContent(SLOT, wire) } as Message
  return { message: sealedCopy(message), unread: wire }
}

function readTurn(
  wire: Wire,
  before: unknown,
  first: boolean,
  options: DecodeOptions,
): readonly (Fragment | Unread)[] {
  const { role, content, ...rest } = wire
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return [whole(wire, options)]
  if (typeof content !== 'string' && !isList(content)) return [whole(wire, options)]
  const runs = typeof content === 'string' ? [textRun(role, content)] : runsOf(role, content)
  const hints = {
    ...(first && { first: true }),
    ...(before === role && { split: true }),
    ...(role === 'system' && { inline: true }),
    ...(typeof content === 'string' ? { form: 'string' } : content.length === 0 && { form: 'list' }),
  }
  return runs.map((run, index) =>
    index === 0 ? build(run, hints, rest, options) : build(run, NOTHING, NOTHING, options),
  )
}

/** Text without a block around it, as if it stood in one. */
function textRun(role: Role, text: string): Run {
  return text === '' ? { role, parts: [], blocks: [] } : runOf(role, [{ type: 'text', text }])
}

/** What may stand in a message of a role; anything else stays as it came. */
const only: { readonly [role in Role]: ReadonlySet<string> } = {
  system: new Set(['text', 'opaque']),
  developer: new Set(['text', 'opaque']),
  user: new Set(['text', 'image', 'file', 'opaque']),
  tool: new Set(['tool-result']),
  assistant: new Set(['text', 'opaque', 'reasoning', 'tool-call', 'tool-result']),
}

function runOf(role: Role, blocks: readonly Json[]): Run {
  const place = role === 'assistant' ? 'assistant' : 'user'
  const parts = blocks.map((block) => {
    const part = decodePart(block, place)
    return only[role].has(part.type) ? part : opaque(block)
  })
  return { role, parts, blocks }
}

/** A user's turn with results in it is a tool message and a user message, in the order of the blocks. */
function runsOf(role: WireRole, wire: readonly Json[]): readonly Run[] {
  if (role !== 'user' || wire.length === 0) return [runOf(role, wire)]
  const runs: { role: Role; parts: Part[]; blocks: Json[] }[] = []
  for (const block of wire) {
    const part = decodePart(block, 'user')
    const of = part.type === 'tool-result' ? 'tool' : 'user'
    const kept = only[of].has(part.type) ? part : opaque(block)
    const run = runs.at(-1)
    if (run?.role === of) {
      run.parts.push(kept)
      run.blocks.push(block)
    } else runs.push({ role: of, parts: [kept], blocks: [block] })
  }
  return runs
}

function build({ role, parts, blocks }: Run, hints: Hints, rest: Wire, options: DecodeOptions): Fragment {
  const message = { id: freshId('msg', options), role, content: parts } as Message
  return fragment(sealedCopy(withResidue(message, SLOT, NOTHING, rest, hints)), blocks, undefined)
}

/** Writes the conversation; `empty` where nobody said anything when it came. */
export function encodeMessages(
  messages: Iterable<Placed>,
  at: Path,
  encoding: Encoding,
  empty: boolean,
): WireConversation {
  return assemble(fragmentsOf(messages, encoding), encoding, empty, at)
}

function* fragmentsOf(
  messages: Iterable<Placed>,
  encoding: Encoding,
): Generator<Fragment | Unread, void, undefined> {
  for (const { message, at } of messages) {
    const unread = wholeMessage(message, SLOT)
    yield unread === undefined ? fragmentOf(message, at, encoding) : { message, unread }
  }
}

/** The conversation of its pieces: leading instructions before it, neighbours of one role as one turn. */
export function assemble(
  pieces: Iterable<Fragment | Unread>,
  encoding: Encoding,
  empty: boolean,
  at?: Path,
): WireConversation {
  const leading: Fragment[] = []
  const turns: Turn[] = []
  for (const piece of pieces) {
    if ('unread' in piece) turns.push(piece)
    else if (piece.role === 'system' && turns.length === 0 && piece.hints['inline'] !== true)
      leading.push(piece)
    else if (isNothing(piece)) encoding.lose('empty-message', piece.at)
    else join(turns, inPlace(piece, encoding))
  }
  const system = contentOf(leading)
  const wire: Json[] = []
  for (const turn of turns) {
    const made = 'unread' in turn ? turn.unread : writeTurn(turn.fragments, encoding)
    if (made !== undefined) wire.push(made)
  }
  const messages = begun(wire, turns[0], at, encoding, empty)
  return { ...(system !== undefined && { system }), messages }
}

/** Writes one of our messages as it stands in the middle of a conversation; none where it says nothing. */
export function encodeMessage(
  message: Message,
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  const unread = wholeMessage(message, SLOT)
  const turn = unread ?? writeTurn([inPlace(fragmentOf(message, at, encoding), encoding)], encoding)
  return turn === undefined ? [] : [turn]
}

/** The conversation begins with the user, or as it came. */
function begun(
  wire: readonly Json[],
  first: Turn | undefined,
  at: Path | undefined,
  encoding: Encoding,
  empty: boolean,
): readonly Json[] {
  const [fragment] = first === undefined || 'unread' in first ? [] : first.fragments
  const answered = isObject(wire[0]) && wire[0]['role'] === 'assistant'
  const asCame = fragment === undefined || fragment.hints['first'] === true
  const came = wire.length === 0 ? empty : asCame || !answered
  if (came) return wire
  encoding.lose('first-turn', fragment?.at ?? at)
  return [{ role: 'user', content: [{ type: 'text', text: OPENING }] }, ...wire]
}

function fragmentOf(message: Message, at: Path | undefined, encoding: Encoding): Fragment {
  const { role } = message
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  if (role === 'developer') encoding.lose('developer-role', below(at, 'role'))
  const place = role === 'assistant' ? 'assistant' : 'user'
  const blocks = encodeParts(message.content, below(at, 'content'), encoding, place)
  return fragment(message, blocks, at)
}

const wireRoles: { readonly [role in Role]: WireRole } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
}

function fragment(message: Message, blocks: readonly Json[], at: Path | undefined): Fragment {
  return { message, role: wireRoles[message.role], blocks, hints: hintsFor(message, SLOT), at }
}

/** Later instructions stay where they are: as they came, or as marked text of the user. */
function inPlace(fragment: Fragment, encoding: Encoding): Fragment {
  if (fragment.role !== 'system' || fragment.hints['inline'] === true) return fragment
  if (fragment.blocks.length > 0) encoding.lose('system-in-place', fragment.at)
  const blocks = fragment.blocks.map((block) => {
    return isObject(block) && block['type'] === 'text'
      ? { ...block, text: `<system>\n${wireText(block)}\n</system>` }
      : block
  })
  return { ...fragment, role: 'user', blocks }
}

/** Nothing to send: its neighbours stand next to each other. Content that came empty is something. */
function isNothing({ blocks, hints }: Fragment): boolean {
  return blocks.length === 0 && hints['form'] === undefined
}

function join(turns: Turn[], fragment: Fragment): void {
  const turn = turns.at(-1)
  const open = turn !== undefined && 'fragments' in turn ? turn.fragments : undefined
  if (open?.[0]?.role === fragment.role && fragment.hints['split'] !== true) open.push(fragment)
  else turns.push({ fragments: [fragment] })
}

function writeTurn(fragments: readonly Fragment[], encoding: Encoding): JsonObject | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const content = contentOf(fragments)
  if (content === undefined) {
    for (const { at } of fragments) encoding.lose('empty-message', at)
    return undefined
  }
  return applyResidue({ role: first.role, content }, first.message, SLOT)
}

/** What the fragments say together; undefined where that is nothing. */
function contentOf(fragments: readonly Fragment[]): Json | undefined {
  const [only] = fragments
  // Most turns are one message, whose blocks need not be copied.
  const blocks = only && fragments.length === 1 ? only.blocks : fragments.flatMap((each) => each.blocks)
  return formed(blocks, fragments) ?? (blocks.length > 0 ? blocks : undefined)
}

/** Content in the form that it came in, as long as that form can still hold it. */
function formed(blocks: readonly Json[], fragments: readonly Fragment[]): Json | undefined {
  const form = fragments.length === 1 ? fragments[0]?.hints['form'] : undefined
  if (form === 'string') return blocks.length === 0 ? '' : plainText(blocks)
  return form === 'list' && blocks.length === 0 ? [] : undefined
}
