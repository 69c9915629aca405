import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { createBlockFragment } from '../shared/block-turn-writer.ts'
import { createOpaqueMessage } from '../shared/opaque-content.ts'
import { addCacheHint } from './cache-markers.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { BedrockHints } from './hints.ts'
import { isDocumentWithoutText, type MessageFragment } from './message-fragments.ts'
import type { BlockDecodeContext } from './part-context.ts'
import { decodePart } from './parts.ts'
import { decodeUsualBlock } from './usual-form-decoder.ts'
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

/** The part types that a turn of each role may contain; other parts become opaque. */
const allowedPartTypes: { readonly [role in TurnRole]: ReadonlySet<string> } = {
  system: new Set(['text', 'opaque']),
  user: new Set(['text', 'image', 'audio', 'video', 'file', 'opaque', 'tool-result']),
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

/** Decodes the instructions and the turns of a conversation. `vendor` signs the reasoning of the model. */
export function decodeMessages(
  { system, messages }: JsonObject,
  options: DecodeOptions,
  vendor: string,
): readonly (MessageFragment | DecodedTurn)[] {
  const reader = new ConversationReader(options, vendor)
  return [...reader.readSystem(system), ...reader.readMessages(messages)]
}

/** Decodes one conversation, and remembers the names of its documents. */
class ConversationReader {
  readonly #options: DecodeOptions
  readonly #context: Omit<BlockDecodeContext, 'location'>

  constructor(options: DecodeOptions, vendor: string) {
    this.#options = options
    this.#context = { vendor, documentNames: new Set() }
  }

  readSystem(wire: Json | undefined): readonly MessageFragment[] {
    return isList(wire)
      ? this.#splitIntoRuns('system', wire).map((run) => this.#createFragment(run, getFormHints(wire)))
      : []
  }

  readMessages(wire: Json | undefined): readonly (MessageFragment | DecodedTurn)[] {
    return itemsOf(wire).flatMap((turn, index, turns) => this.#readTurn(turn, index, turns))
  }

  #readTurn(turn: Json, index: number, turns: readonly Json[]): readonly (MessageFragment | DecodedTurn)[] {
    const usual = decodeUsualTurn(turn, index, turns, this.#options, decodeUsualBlock)
    if (usual !== undefined) return [usual]
    const { role, content, ...rest } = isObject(turn) ? turn : NO_FIELDS
    const isKnownRole = role === 'user' || role === 'assistant' || role === 'system'
    if (!isKnownRole || !isList(content))
      return [{ message: createOpaqueMessage(DIALECT_SLOT, 'user', turn, this.#options), wire: turn }]
    const form = isDocumentWithoutText(content) ? { documentWithoutText: true } : getFormHints(content)
    const hints = createTurnHints(role, content, index, turns, form)
    const [first, ...others] = this.#splitIntoRuns(role, content)
    return [this.#createFragment(first, hints, rest), ...others.map((run) => this.#createFragment(run))]
  }

  #splitIntoRuns(role: TurnRole, content: readonly Json[]): [BlockRun, ...BlockRun[]] {
    const context = { ...this.#context, location: role === 'assistant' ? role : 'user' } as const
    return splitTurn(role, content, DIALECT_SLOT, allowedPartTypes[role], (block, run) => {
      const cached = addCacheHint(run?.parts.at(-1), block)
      if (run === undefined || cached === undefined) return decodePart(block, context)
      run.parts[run.parts.length - 1] = cached
      run.blocks.push(block)
      return undefined
    })
  }

  #createFragment(run: BlockRun, hints: BedrockHints = NO_FIELDS, rest?: JsonObject): MessageFragment {
    const message = createRunMessage(run, this.#options, DIALECT_SLOT, hints, rest)
    return createBlockFragment(message, run.blocks, DIALECT_SLOT)
  }
}

function getFormHints(content: readonly Json[]): BedrockHints {
  return content.length === 0 ? { contentForm: 'empty-list' } : NO_FIELDS
}
