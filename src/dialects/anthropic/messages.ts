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
import { applyResidue, hintsFor, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { decodeBlock, encodeBlocks, plainText } from './parts.ts'

type Wire = { readonly [key: string]: Json }
type WireRole = 'user' | 'assistant' | 'system'

/** What one of our messages is on the wire, before neighbours join. */
interface Fragment {
  readonly message: Message
  readonly role: WireRole
  readonly blocks: readonly JsonObject[]
  readonly hints: Hints
  readonly at: Path
}

/** The conversation on the wire: leading instructions, and the turns. */
export interface WireConversation {
  readonly system?: Json
  readonly messages: readonly JsonObject[]
}

/** Reads the instructions before the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Message[] {
  if (typeof wire !== 'string' && !Array.isArray(wire)) return []
  const content = typeof wire === 'string' ? readText(wire) : (wire as readonly Json[]).map(decodeBlock)
  const allowed = content.every(({ type }) => type === 'text' || type === 'opaque')
  const hints = typeof wire === 'string' ? { form: 'string' } : content.length === 0 ? { form: 'list' } : {}
  return allowed ? [build('system', content, hints, {}, options)] : []
}

/** Reads the turns; undefined when they are not a list of messages that we can take apart. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly Message[] | undefined {
  if (!Array.isArray(wire)) return undefined
  const messages: Message[] = []
  let before: unknown
  for (const each of wire as readonly Json[]) {
    const read = isObject(each) ? readTurn(each, before, options) : undefined
    if (read === undefined) return undefined
    messages.push(...read)
    before = (each as Wire)['role']
  }
  return messages
}

function readTurn(wire: Wire, before: unknown, options: DecodeOptions): readonly Message[] | undefined {
  const { role, content, ...rest } = wire
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return undefined
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined
  const parts =
    typeof content === 'string' ? readText(content) : (content as readonly Json[]).map(decodeBlock)
  const hints = {
    ...(before === role && { split: true }),
    ...(role === 'system' && { inline: true }),
    ...(typeof content === 'string' ? { form: 'string' } : parts.length === 0 && { form: 'list' }),
  }
  const runs = role === 'user' ? runsOf(parts) : [{ role: role as Role, parts }]
  if (runs.some((run) => !fits(run.role, run.parts))) return undefined
  return runs.map((run, index) =>
    build(run.role, run.parts, index === 0 ? hints : {}, index === 0 ? rest : {}, options),
  )
}

function readText(text: string): readonly Part[] {
  return text === '' ? [] : [decodeBlock({ type: 'text', text })]
}

/** A user's turn with results in it is a tool message and a user message, in the order of the blocks. */
function runsOf(parts: readonly Part[]): readonly { readonly role: Role; readonly parts: Part[] }[] {
  const runs: { role: Role; parts: Part[] }[] = []
  for (const part of parts) {
    const role = part.type === 'tool-result' ? 'tool' : 'user'
    const run = runs.at(-1)
    if (run?.role === role) run.parts.push(part)
    else runs.push({ role, parts: [part] })
  }
  return runs.length === 0 ? [{ role: 'user', parts: [] }] : runs
}

const only: { readonly [role in Role]: ReadonlySet<string> } = {
  system: new Set(['text', 'opaque']),
  developer: new Set(['text', 'opaque']),
  user: new Set(['text', 'image', 'file', 'opaque']),
  tool: new Set(['tool-result']),
  assistant: new Set(['text', 'image', 'file', 'opaque', 'reasoning', 'tool-call', 'tool-result']),
}

function fits(role: Role, parts: readonly Part[]): boolean {
  return parts.every(({ type }) => only[role].has(type))
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
export function encodeMessages(messages: Iterable<Message>, at: Path, encoding: Encoding): WireConversation {
  const leading: Fragment[] = []
  const turns: Fragment[][] = []
  let index = 0
  for (const message of messages) {
    const fragment = fragmentOf(message, below(at, index++), encoding)
    if (fragment.role === 'system' && turns.length === 0 && fragment.hints['inline'] !== true)
      leading.push(fragment)
    else join(turns, inPlace(fragment, encoding))
  }
  const system = writeSystem(leading)
  const wire = turns.map((turn) => writeTurn(turn, encoding)).filter((turn) => turn !== undefined)
  return { ...(system !== undefined && { system }), messages: wire }
}

function fragmentOf(message: Message, at: Path, encoding: Encoding): Fragment {
  const { role } = message
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  if (role === 'developer') encoding.lose('developer-role', below(at, 'role'))
  const blocks = encodeBlocks(message.content, below(at, 'content'), encoding, role === 'assistant')
  const wireRole =
    role === 'assistant' ? 'assistant' : role === 'system' || role === 'developer' ? 'system' : 'user'
  return { message, role: wireRole, blocks, hints: hintsFor(message, SLOT), at }
}

/** Later instructions stay where they are: as they came, or as marked text of the user. */
function inPlace(fragment: Fragment, encoding: Encoding): Fragment {
  if (fragment.role !== 'system' || fragment.hints['inline'] === true) return fragment
  encoding.lose('system-in-place', fragment.at)
  const text = fragment.blocks.map(wireText).join('\n')
  return { ...fragment, role: 'user', blocks: [{ type: 'text', text: `<system>\n${text}\n</system>` }] }
}

function join(turns: Fragment[][], fragment: Fragment): void {
  const turn = turns.at(-1)
  if (turn?.[0]?.role === fragment.role && fragment.hints['split'] !== true) turn.push(fragment)
  else turns.push([fragment])
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
