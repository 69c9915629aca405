import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createOpaqueContent } from '../shared/opaque-message.ts'
import { hintsIn, withResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import {
  hasTrailingWhitespace,
  type MessageFragment,
  createFragment,
  type UndecodedTurn,
  type WireRole,
} from './message-fragments.ts'
import { decodePart, createOpaquePart } from './parts.ts'
import type { AnthropicHint } from './hints.ts'

const NO_FIELDS: JsonObject = Object.freeze({})

/** Neighbouring blocks of one turn that are one of our messages. */
interface BlockRun {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly blocks: readonly Json[]
}

/** Reads the instructions before the conversation. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly MessageFragment[] {
  if (typeof wire === 'string')
    return [
      createMessageFragment(createTextRun('system', wire), { contentForm: 'string' }, NO_FIELDS, options),
    ]
  if (!isList(wire)) return []
  return [
    createMessageFragment(
      createRun('system', wire),
      wire.length === 0 ? { contentForm: 'empty-list' } : NO_FIELDS,
      NO_FIELDS,
      options,
    ),
  ]
}

/** Reads the turns; undefined when they are no list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly (MessageFragment | UndecodedTurn)[] | undefined {
  if (!isList(wire)) return undefined
  const found: (MessageFragment | UndecodedTurn)[] = []
  let before: unknown
  for (const [index, each] of wire.entries()) {
    const said = isObject(each) && each['role'] === 'assistant'
    const odd = hintsIn(DIALECT_SLOT, {
      ...(said && index === 0 && { assistantFirst: true }),
      ...(said &&
        index === wire.length - 1 &&
        hasTrailingWhitespace(each['content']) && { trailingWhitespace: true }),
    })
    found.push(
      ...(isObject(each) ? readTurn(each, before, odd, options) : [createUndecodedTurn(each, options)]),
    )
    before = isObject(each) ? each['role'] : undefined
  }
  return found
}

/** A message that we cannot take apart. */
function createUndecodedTurn(wire: Json, options: DecodeOptions): UndecodedTurn {
  const message = {
    id: generateId('msg', options),
    role: 'user',
    content: createOpaqueContent(DIALECT_SLOT, wire),
  } as Message
  return { message: freezeOwned(message), wire }
}

function readTurn(
  wire: JsonObject,
  before: unknown,
  formHints: Hints<AnthropicHint>,
  options: DecodeOptions,
): readonly (MessageFragment | UndecodedTurn)[] {
  const { role, content, ...rest } = wire
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    return [createUndecodedTurn(wire, options)]
  if (typeof content !== 'string' && !isList(content)) return [createUndecodedTurn(wire, options)]
  const runs = typeof content === 'string' ? [createTextRun(role, content)] : splitIntoRuns(role, content)
  const hints = hintsIn(DIALECT_SLOT, {
    ...formHints,
    ...(before === role && { startsWireMessage: true }),
    ...(role === 'system' && { systemInMessages: true }),
    ...(typeof content === 'string'
      ? { contentForm: 'string' }
      : content.length === 0 && { contentForm: 'empty-list' }),
  })
  return runs.map((run, index) =>
    index === 0
      ? createMessageFragment(run, hints, rest, options)
      : createMessageFragment(run, NO_FIELDS, NO_FIELDS, options),
  )
}

/** Text without a block around it, as if it stood in one. */
function createTextRun(role: Role, text: string): BlockRun {
  return text === '' ? { role, parts: [], blocks: [] } : createRun(role, [{ type: 'text', text }])
}

/** What may stand in a message of a role; anything else stays as it came. */
const allowedPartTypes: { readonly [role in Role]: ReadonlySet<string> } = {
  system: new Set(['text', 'opaque']),
  developer: new Set(['text', 'opaque']),
  user: new Set(['text', 'image', 'file', 'opaque']),
  tool: new Set(['tool-result']),
  assistant: new Set(['text', 'opaque', 'reasoning', 'tool-call', 'tool-result']),
}

function createRun(role: Role, blocks: readonly Json[]): BlockRun {
  const location = role === 'assistant' ? 'assistant' : 'user'
  const parts = blocks.map((block) => {
    const part = decodePart(block, location)
    return allowedPartTypes[role].has(part.type) ? part : createOpaquePart(block)
  })
  return { role, parts, blocks }
}

/** A user's turn with results in it is a tool message and a user message, in the order of the blocks. */
function splitIntoRuns(role: WireRole, wire: readonly Json[]): readonly BlockRun[] {
  if (role !== 'user' || wire.length === 0) return [createRun(role, wire)]
  const runs: { role: Role; parts: Part[]; blocks: Json[] }[] = []
  for (const block of wire) {
    const part = decodePart(block, 'user')
    const of = part.type === 'tool-result' ? 'tool' : 'user'
    const kept = allowedPartTypes[of].has(part.type) ? part : createOpaquePart(block)
    const run = runs.at(-1)
    if (run?.role === of) {
      run.parts.push(kept)
      run.blocks.push(block)
    } else runs.push({ role: of, parts: [kept], blocks: [block] })
  }
  return runs
}

function createMessageFragment(
  { role, parts, blocks }: BlockRun,
  hints: Hints<AnthropicHint>,
  rest: JsonObject,
  options: DecodeOptions,
): MessageFragment {
  const message = { id: generateId('msg', options), role, content: parts } as Message
  return createFragment(
    freezeOwned(withResidue(message, DIALECT_SLOT, NO_FIELDS, rest, hints)),
    blocks,
    undefined,
  )
}
