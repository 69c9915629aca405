import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createOpaqueContent } from '../shared/opaque-message.ts'
import { createOpaquePart } from '../shared/opaque-parts.ts'
import { hintsIn, withResidue } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import {
  hasTrailingWhitespace,
  type MessageFragment,
  createFragment,
  type UndecodedTurn,
  type WireRole,
} from './message-fragments.ts'
import { decodePart } from './parts.ts'
import type { AnthropicHint } from './hints.ts'

const NO_FIELDS: JsonObject = Object.freeze({})

/** Consecutive blocks of one turn that form one canonical message. */
interface BlockRun {
  readonly role: Role
  readonly parts: readonly Part[]
  readonly blocks: readonly Json[]
}

/** Decodes the `system` field. */
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

/** Decodes the turns of a conversation; returns undefined if they are not a list. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly (MessageFragment | UndecodedTurn)[] | undefined {
  if (!isList(wire)) return undefined
  const decoded: (MessageFragment | UndecodedTurn)[] = []
  let previousRole: unknown
  for (const [index, each] of wire.entries()) {
    const isAssistant = isObject(each) && each['role'] === 'assistant'
    const positionHints = hintsIn(DIALECT_SLOT, {
      ...(isAssistant && index === 0 && { assistantFirst: true }),
      ...(isAssistant &&
        index === wire.length - 1 &&
        hasTrailingWhitespace(each['content']) && { trailingWhitespace: true }),
    })
    decoded.push(
      ...(isObject(each)
        ? readTurn(each, previousRole, positionHints, options)
        : [createUndecodedTurn(each, options)]),
    )
    previousRole = isObject(each) ? each['role'] : undefined
  }
  return decoded
}

/** Wraps a turn that cannot be decoded in an opaque message. */
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
  previousRole: unknown,
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
    ...(previousRole === role && { startsWireMessage: true }),
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

/** Decodes string content as one text block. */
function createTextRun(role: Role, text: string): BlockRun {
  return text === '' ? { role, parts: [], blocks: [] } : createRun(role, [{ type: 'text', text }])
}

/** The part types that a message of each role may contain; other parts become opaque. */
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
    return allowedPartTypes[role].has(part.type) ? part : createOpaquePart(DIALECT_SLOT, block)
  })
  return { role, parts, blocks }
}

/** Splits a user turn with tool results into tool messages and user messages, in the order of the blocks. */
function splitIntoRuns(role: WireRole, wire: readonly Json[]): readonly BlockRun[] {
  if (role !== 'user' || wire.length === 0) return [createRun(role, wire)]
  const runs: { role: Role; parts: Part[]; blocks: Json[] }[] = []
  for (const block of wire) {
    const part = decodePart(block, 'user')
    const partRole = part.type === 'tool-result' ? 'tool' : 'user'
    const allowedPart = allowedPartTypes[partRole].has(part.type)
      ? part
      : createOpaquePart(DIALECT_SLOT, block)
    const run = runs.at(-1)
    if (run?.role === partRole) {
      run.parts.push(allowedPart)
      run.blocks.push(block)
    } else runs.push({ role: partRole, parts: [allowedPart], blocks: [block] })
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
