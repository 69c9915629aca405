import { wireText } from '../shared/wire-text.ts'
import { freshId } from '../../canonical/build/identity.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { sealedCopy } from '../../wire/frozen.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import type { Encoding } from '../encoding.ts'
import { OPENING } from '../shared/validity.ts'
import { wholeContent, wholeMessage } from '../shared/whole.ts'
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { decodeBlock, encodeBlocks, opaque } from './parts.ts'
import { plainText } from './text.ts'

type Wire = { readonly [key: string]: Json }
type WireRole = 'user' | 'assistant' | 'system'

/** What one of our messages is on the wire, before neighbours join. */
interface Fragment {
  readonly message: Message
  readonly role: WireRole
  readonly blocks: readonly JsonObject[]
  readonly hints: Hints
  readonly at: Path | undefined
}

/** A turn on the wire: of messages that join, or one that we could not take apart. */
type Turn = { readonly fragments: Fragment[] } | { readonly unread: JsonObject }

/** Neighbouring blocks of one turn that are one of our messages. */
interface Run {
  readonly role: Role
  readonly parts: readonly Part[]
}

/** The conversation on the wire: leading instructions, and the turns. */
export interface WireConversation {
  readonly system?: Json
  readonly messages: readonly JsonObject[]
}

/** Reads the instructions before the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire !== 'string' && !Array.isArray(wire)) return []
  const content = typeof wire === 'string' ? readText(wire) : readBlocks(wire, 'system')
  const hints = typeof wire === 'string' ? { form: 'string' } : content.length === 0 ? { form: 'list' } : {}
  return [build('system', content, hints, {}, options)]
}

/** Reads the turns; undefined when they are no list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly Message[] | undefined {
  if (!Array.isArray(wire)) return undefined
  const messages: Message[] = []
  let before: unknown
  for (const [index, each] of (wire as readonly Json[]).entries()) {
    const first = index === 0 && isObject(each) && each['role'] === 'assistant'
    messages.push(...(isObject(each) ? readTurn(each, before, first, options) : [whole(each, options)]))
    before = isObject(each) ? each['role'] : undefined
  }
  return messages
}

/** A message that we cannot take apart. */
function whole(wire: Json, options: DecodeOptions): Message {
  return sealedCopy({
    id: freshId('msg', options),
    role: 'user',
    content: wholeContent(SLOT, wire),
  } as Message)
}

function readTurn(wire: Wire, before: unknown, first: boolean, options: DecodeOptions): readonly Message[] {
  const { role, content, ...rest } = wire
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return [whole(wire, options)]
  if (typeof content !== 'string' && !Array.isArray(content)) return [whole(wire, options)]
  const runs: readonly Run[] =
    typeof content === 'string'
      ? [{ role, parts: readText(content) }]
      : runsOf(role, content as readonly Json[])
  const hints = {
    ...(first && { first: true }),
    ...(before === role && { split: true }),
    ...(role === 'system' && { inline: true }),
    ...(typeof content === 'string' ? { form: 'string' } : content.length === 0 && { form: 'list' }),
  }
  return runs.map((run, index) =>
    build(run.role, run.parts, index === 0 ? hints : {}, index === 0 ? rest : {}, options),
  )
}

function readText(text: string): readonly Part[] {
  return text === '' ? [] : [decodeBlock({ type: 'text', text }, 'user')]
}

/** What may stand in a message of a role; anything else stays as it came. */
const only: { readonly [role in Role]: ReadonlySet<string> } = {
  system: new Set(['text', 'opaque']),
  developer: new Set(['text', 'opaque']),
  user: new Set(['text', 'image', 'file', 'opaque']),
  tool: new Set(['tool-result']),
  assistant: new Set(['text', 'opaque', 'reasoning', 'tool-call', 'tool-result']),
}

function readBlocks(wire: readonly Json[], role: Role): readonly Part[] {
  const place = role === 'assistant' ? 'assistant' : 'user'
  return wire.map((block) => {
    const part = decodeBlock(block, place)
    return only[role].has(part.type) ? part : opaque(block)
  })
}

/** A user's turn with results in it is a tool message and a user message, in the order of the blocks. */
function runsOf(role: WireRole, wire: readonly Json[]): readonly Run[] {
  if (role !== 'user' || wire.length === 0) return [{ role, parts: readBlocks(wire, role) }]
  const runs: { role: Role; parts: Part[] }[] = []
  for (const block of wire) {
    const part = decodeBlock(block, 'user')
    const of = part.type === 'tool-result' ? 'tool' : 'user'
    const run = runs.at(-1)
    const kept = only[of].has(part.type) ? part : opaque(block)
    if (run?.role === of) run.parts.push(kept)
    else runs.push({ role: of, parts: [kept] })
  }
  return runs
}

function build(
  role: Role,
  content: readonly Part[],
  hints: Hints,
  rest: Wire,
  options: DecodeOptions,
): Message {
  const message = { id: freshId('msg', options), role, content } as Message
  return sealedCopy(withResidue(message, SLOT, {}, rest, hints))
}

/** Writes the conversation: leading instructions before it, neighbours of one role as one turn. */
export function encodeMessages(
  messages: Iterable<Message>,
  at: Path,
  encoding: Encoding,
  empty: boolean,
): WireConversation {
  const leading: Fragment[] = []
  const turns: Turn[] = []
  let index = 0
  for (const message of messages) {
    const here = below(at, index++)
    const unread = wholeMessage(message, SLOT)
    if (unread !== undefined) {
      turns.push({ unread })
      continue
    }
    const fragment = fragmentOf(message, here, encoding)
    if (fragment.role === 'system' && turns.length === 0 && fragment.hints['inline'] !== true)
      leading.push(fragment)
    else join(turns, inPlace(fragment, encoding))
  }
  const system = writeSystem(leading)
  const wire = turns
    .map((turn) => ('unread' in turn ? turn.unread : writeTurn(turn.fragments, encoding)))
    .filter((turn) => turn !== undefined)
  return { ...(system !== undefined && { system }), messages: begun(wire, turns[0], at, encoding, empty) }
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
  wire: readonly JsonObject[],
  first: Turn | undefined,
  at: Path,
  encoding: Encoding,
  empty: boolean,
): readonly JsonObject[] {
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
  const blocks = encodeBlocks(message.content, below(at, 'content'), encoding, place)
  const wireRole =
    role === 'assistant' ? 'assistant' : role === 'system' || role === 'developer' ? 'system' : 'user'
  return { message, role: wireRole, blocks, hints: hintsFor(message, SLOT), at }
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

function join(turns: Turn[], fragment: Fragment): void {
  const turn = turns.at(-1)
  const open = turn !== undefined && 'fragments' in turn ? turn.fragments : undefined
  if (open?.[0]?.role === fragment.role && fragment.hints['split'] !== true) open.push(fragment)
  else turns.push({ fragments: [fragment] })
}

function writeSystem(fragments: readonly Fragment[]): Json | undefined {
  const blocks = fragments.flatMap((fragment) => fragment.blocks)
  return formed(blocks, fragments) ?? (blocks.length > 0 ? blocks : undefined)
}

function writeTurn(fragments: readonly Fragment[], encoding: Encoding): JsonObject | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const blocks = fragments.flatMap((fragment) => fragment.blocks)
  const content = formed(blocks, fragments) ?? (blocks.length > 0 ? blocks : undefined)
  if (content === undefined) {
    for (const { at } of fragments) encoding.lose('empty-message', at)
    return undefined
  }
  return applyResidue({ role: first.role, content }, first.message, SLOT)
}

/** Content in the form that it came in, as long as that form can still hold it. */
function formed(blocks: readonly JsonObject[], fragments: readonly Fragment[]): Json | undefined {
  const form = fragments.length === 1 ? fragments[0]?.hints['form'] : undefined
  if (form === 'string') return blocks.length === 0 ? '' : plainText(blocks)
  return form === 'list' && blocks.length === 0 ? [] : undefined
}
