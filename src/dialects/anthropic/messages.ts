import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createBlockFragment } from '../shared/block-turn-writer.ts'
import { createOpaqueMessage } from '../shared/opaque-content.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { MessageFragment } from './message-fragments.ts'
import { markAcceptedMedia } from './fit-host.ts'
import { decodePart } from './parts.ts'
import { decodeUsualBlock } from './usual-form-decoder.ts'
import type { AnthropicHints } from './hints.ts'
import {
  type BlockRun,
  createRunMessage,
  createTurnHints,
  type DecodedTurn,
  decodeUsualTurn,
  splitTurn,
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
  const { role, content, ...rest } = isObject(turn) ? turn : NO_FIELDS
  const isKnownRole = role === 'user' || role === 'assistant' || role === 'system'
  if (!isKnownRole || (typeof content !== 'string' && !isList(content)))
    return [{ message: createOpaqueMessage(DIALECT_SLOT, 'user', turn, options), wire: turn }]
  const hints = createTurnHints(role, content, index, turns, getFormHints(content))
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

function splitIntoRuns(role: TurnRole, content: Content, options: DecodeOptions): [BlockRun, ...BlockRun[]] {
  const blocks =
    typeof content !== 'string' ? content : content === '' ? [] : [{ type: 'text', text: content }]
  const location = role === 'assistant' ? role : 'user'
  return splitTurn(role, blocks, DIALECT_SLOT, allowedPartTypes[role], (block) =>
    markAcceptedMedia(decodePart(block, location), options),
  )
}

function createMessageFragment(
  run: BlockRun,
  options: DecodeOptions,
  hints: AnthropicHints = NO_FIELDS,
  rest?: JsonObject,
): MessageFragment {
  const message = createRunMessage(run, options, DIALECT_SLOT, hints, rest)
  return createBlockFragment(message, run.blocks, DIALECT_SLOT)
}
