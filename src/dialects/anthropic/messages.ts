import { freshId } from '../../canonical/build/identity.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { sealOwn } from '../../wire/frozen.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../dialect.ts'
import { wholeContent } from '../shared/whole.ts'
import { hintsIn, withResidue } from '../unit.ts'
import { SLOT } from './codes.ts'
import { endsBlank, type Fragment, fragment, type Unread, type WireRole } from './fragments.ts'
import { decodePart, opaque } from './parts.ts'
import type { AnthropicHint } from './hints.ts'

type Wire = { readonly [key: string]: Json }

const NOTHING: JsonObject = Object.freeze({})

/** Neighbouring blocks of one turn that are one of our messages. */
interface Run {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly blocks: readonly Json[]
}

/** Reads the instructions before the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly Fragment[] {
  if (typeof wire === 'string')
    return [build(textRun('system', wire), { contentForm: 'string' }, NOTHING, options)]
  if (!isList(wire)) return []
  return [
    build(
      runOf('system', wire),
      wire.length === 0 ? { contentForm: 'empty-list' } : NOTHING,
      NOTHING,
      options,
    ),
  ]
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
    const said = isObject(each) && each['role'] === 'assistant'
    const odd = hintsIn(SLOT, {
      ...(said && index === 0 && { assistantFirst: true }),
      ...(said && index === wire.length - 1 && endsBlank(each['content']) && { trailingWhitespace: true }),
    })
    found.push(...(isObject(each) ? readTurn(each, before, odd, options) : [whole(each, options)]))
    before = isObject(each) ? each['role'] : undefined
  }
  return found
}

/** A message that we cannot take apart. */
function whole(wire: Json, options: DecodeOptions): Unread {
  const message = { id: freshId('msg', options), role: 'user', content: wholeContent(SLOT, wire) } as Message
  return { message: sealOwn(message), unread: wire }
}

function readTurn(
  wire: Wire,
  before: unknown,
  odd: Hints<AnthropicHint>,
  options: DecodeOptions,
): readonly (Fragment | Unread)[] {
  const { role, content, ...rest } = wire
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return [whole(wire, options)]
  if (typeof content !== 'string' && !isList(content)) return [whole(wire, options)]
  const runs = typeof content === 'string' ? [textRun(role, content)] : runsOf(role, content)
  const hints = hintsIn(SLOT, {
    ...odd,
    ...(before === role && { startsWireMessage: true }),
    ...(role === 'system' && { systemInMessages: true }),
    ...(typeof content === 'string'
      ? { contentForm: 'string' }
      : content.length === 0 && { contentForm: 'empty-list' }),
  })
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

function build(
  { role, parts, blocks }: Run,
  hints: Hints<AnthropicHint>,
  rest: Wire,
  options: DecodeOptions,
): Fragment {
  const message = { id: freshId('msg', options), role, content: parts } as Message
  return fragment(sealOwn(withResidue(message, SLOT, NOTHING, rest, hints)), blocks, undefined)
}
