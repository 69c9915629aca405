import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createOpaqueMessage, createOpaquePart } from '../shared/opaque-content.ts'
import { defineHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { createFragment, type MessageFragment } from './message-fragments.ts'
import { markAcceptedMedia } from './fit-host.ts'
import { decodePart } from './parts.ts'
import { decodeUsualBlock } from './usual-form-decoder.ts'
import type { AnthropicHints } from './hints.ts'
import {
  type BlockRun,
  createRunMessage,
  type DecodedTurn,
  decodeUsualTurn,
  hasTrailingWhitespace,
  type TurnRole,
} from '../shared/block-turns.ts'

const NO_FIELDS: JsonObject = Object.freeze({})

type Content = string | readonly Json[]

/** Decodes the `system` field. */
export function decodeSystem(wire: Json | undefined, options: DecodeOptions): readonly MessageFragment[] {
  return typeof wire === 'string' || isList(wire)
    ? splitIntoRuns('system', wire, options).map((run) =>
        createMessageFragment(run, options, getFormHints(wire)),
      )
    : []
}

/** Decodes the turns of a conversation. */
export function decodeMessages(
  wire: Json | undefined,
  options: DecodeOptions,
): readonly (MessageFragment | DecodedTurn)[] {
  return itemsOf(wire).flatMap((turn, index, turns) => readTurn(turn, index, turns, options))
}

function readTurn(
  turn: Json,
  index: number,
  turns: readonly Json[],
  options: DecodeOptions,
): readonly (MessageFragment | DecodedTurn)[] {
  const usual = decodeUsualTurn(turn, index, turns, options, decodeUsualBlock)
  if (usual !== undefined) return [usual]
  const previous = turns[index - 1]
  const { role, content, ...rest } = isObject(turn) ? turn : NO_FIELDS
  const isKnownRole = role === 'user' || role === 'assistant' || role === 'system'
  if (!isKnownRole || (typeof content !== 'string' && !isList(content)))
    return [{ message: createOpaqueMessage(DIALECT_SLOT, 'user', turn, options), wire: turn }]
  const isPrefill = role === 'assistant' && index === turns.length - 1
  const hints = defineHints(DIALECT_SLOT, {
    ...(role === 'assistant' && index === 0 && { assistantFirst: true }),
    ...(isPrefill && hasTrailingWhitespace(content) && { trailingWhitespace: true }),
    ...(isObject(previous) && previous['role'] === role && { startsWireMessage: true }),
    ...(role === 'system' && { systemInMessages: true }),
    ...getFormHints(content),
  })
  const [first, ...others] = splitIntoRuns(role, content, options)
  return [
    createMessageFragment(first, options, hints, rest),
    ...others.map((run) => createMessageFragment(run, options)),
  ]
}

function getFormHints(content: Content): AnthropicHints {
  if (typeof content === 'string') return { contentForm: 'string' }
  return content.length === 0 ? { contentForm: 'empty-list' } : NO_FIELDS
}

/** The part types that a turn of each role may contain; other parts become opaque. */
const allowedPartTypes: { readonly [role in TurnRole]: ReadonlySet<string> } = {
  system: new Set(['text', 'opaque']),
  user: new Set(['text', 'image', 'file', 'opaque', 'tool-result']),
  assistant: new Set(['text', 'opaque', 'reasoning', 'tool-call', 'tool-result']),
}

/** Splits a user turn with tool results into tool messages and user messages, in the order of the blocks. */
function splitIntoRuns(role: TurnRole, content: Content, options: DecodeOptions): [BlockRun, ...BlockRun[]] {
  const blocks =
    typeof content !== 'string' ? content : content === '' ? [] : [{ type: 'text', text: content }]
  const runs: BlockRun[] = []
  let run: BlockRun | undefined
  for (const block of blocks) {
    const decoded = decodePart(block, role === 'assistant' ? 'assistant' : 'user')
    const part = markAcceptedMedia(decoded, options)
    const runRole = role === 'user' && part.type === 'tool-result' ? 'tool' : role
    if (run?.role !== runRole) {
      run = { role: runRole, parts: [], blocks: [] }
      runs.push(run)
    }
    run.parts.push(allowedPartTypes[role].has(part.type) ? part : createOpaquePart(DIALECT_SLOT, block))
    run.blocks.push(block)
  }
  const [first = { role, parts: [], blocks: [] }, ...others] = runs
  return [first, ...others]
}

function createMessageFragment(
  run: BlockRun,
  options: DecodeOptions,
  hints: AnthropicHints = NO_FIELDS,
  rest?: JsonObject,
): MessageFragment {
  return createFragment(createRunMessage(run, options, DIALECT_SLOT, hints, rest), run.blocks)
}
