import { isList, isObject, itemsOf, type Json, type JsonObject } from '../../wire/json.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import { defineHints } from '../engine/residue-slots.ts'
import { createOpaqueMessage, createOpaquePart } from '../shared/opaque-content.ts'
import { addCacheHint } from './cache-markers.ts'
import { DIALECT_SLOT } from './constants.ts'
import type { BedrockHints } from './hints.ts'
import { createFragment, isDocumentWithoutText, type MessageFragment } from './message-fragments.ts'
import type { BlockDecodeContext } from './part-context.ts'
import { decodePart } from './parts.ts'
import { decodeUsualBlock } from './usual-form-decoder.ts'
import {
  type BlockRun,
  createRunMessage,
  type DecodedTurn,
  decodeUsualTurn,
  hasTrailingWhitespace,
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
    const previous = turns[index - 1]
    const { role, content, ...rest } = isObject(turn) ? turn : NO_FIELDS
    const isKnownRole = role === 'user' || role === 'assistant' || role === 'system'
    if (!isKnownRole || !isList(content))
      return [{ message: createOpaqueMessage(DIALECT_SLOT, 'user', turn, this.#options), wire: turn }]
    const isPrefill = role === 'assistant' && index === turns.length - 1
    const hints = defineHints(DIALECT_SLOT, {
      ...(role === 'assistant' && index === 0 && { assistantFirst: true }),
      ...(isPrefill && hasTrailingWhitespace(content) && { trailingWhitespace: true }),
      ...(isObject(previous) && previous['role'] === role && { startsWireMessage: true }),
      ...(role === 'system' && { systemInMessages: true }),
      ...(isDocumentWithoutText(content) && { documentWithoutText: true }),
      ...getFormHints(content),
    })
    const [first, ...others] = this.#splitIntoRuns(role, content)
    return [this.#createFragment(first, hints, rest), ...others.map((run) => this.#createFragment(run))]
  }

  /** Splits a user turn with tool results into tool messages and user messages, in the order of the blocks. */
  #splitIntoRuns(role: TurnRole, content: readonly Json[]): [BlockRun, ...BlockRun[]] {
    const runs: BlockRun[] = []
    let run: BlockRun | undefined
    const context = { ...this.#context, location: role === 'assistant' ? role : 'user' } as const
    for (const block of content) {
      const cached = addCacheHint(run?.parts.at(-1), block)
      if (run !== undefined && cached !== undefined) {
        run.parts[run.parts.length - 1] = cached
        run.blocks.push(block)
        continue
      }
      const part = decodePart(block, context)
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

  #createFragment(run: BlockRun, hints: BedrockHints = NO_FIELDS, rest?: JsonObject): MessageFragment {
    return createFragment(createRunMessage(run, this.#options, DIALECT_SLOT, hints, rest), run.blocks)
  }
}

function getFormHints(content: readonly Json[]): BedrockHints {
  return content.length === 0 ? { contentForm: 'empty-list' } : NO_FIELDS
}
