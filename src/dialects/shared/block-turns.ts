// For dialects whose turns are lists of content blocks, in which tool results are blocks of the user: anthropic and bedrock.
import { generateId } from '../../canonical/build/ids-and-timestamps.ts'
import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { freezeOwned } from '../../wire/frozen-json.ts'
import {
  getBlockText,
  isEmptyObject,
  isList,
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
} from '../../wire/json.ts'
import type { Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { DecodeOptions } from '../engine/dialect.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { type Only, type Slot, withResidue } from '../engine/residue-slots.ts'
import { createOpaquePart } from './opaque-content.ts'
import type { ReceivedTurn } from './turn-writer.ts'
import { createUsualMessage, hasExactKeys } from './usual-parts.ts'

/** The role of a turn. */
export type TurnRole = 'user' | 'assistant' | 'system'

/** The role of the turn that contains the messages of each role. */
export const turnRoles: { readonly [role in Role]: TurnRole } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
}

/** The hints on the position of a turn. */
export type TurnPositionHint =
  | 'assistantFirst'
  | 'startsWireMessage'
  | 'systemInMessages'
  | 'trailingWhitespace'

/** Consecutive blocks of one turn that form one canonical message. */
export interface BlockRun {
  readonly role: Role
  readonly parts: Part[]
  readonly blocks: Json[]
}

const NO_FIELDS: JsonObject = Object.freeze({})
const TURN_KEYS = ['role', 'content']

/** A message with its turn, which is written as received. */
export interface DecodedTurn extends ReceivedTurn {
  readonly message: Message
}

/**
 * Decodes a turn of usual blocks as one message, which has no residue, so that the turn is written as received; undefined for any
 * other turn. The first and the last turn of the assistant, and turns that could be joined, have forms of their own.
 */
export function decodeUsualTurn(
  turn: Json,
  index: number,
  turns: readonly Json[],
  options: DecodeOptions,
  decodeBlock: (block: JsonObject, role: 'user' | 'assistant') => Part | undefined,
): DecodedTurn | undefined {
  if (!isObject(turn) || !hasExactKeys(turn, TURN_KEYS)) return undefined
  const { role, content } = turn
  if ((role !== 'user' && role !== 'assistant') || !isList(content) || content.length === 0) return undefined
  if (role === 'assistant' && (index === 0 || index === turns.length - 1)) return undefined
  const previous = turns[index - 1]
  if (isObject(previous) && previous['role'] === role) return undefined
  const parts: Part[] = []
  for (const block of content) {
    const part = isObject(block) ? decodeBlock(block, role) : undefined
    if (part === undefined) return undefined
    parts.push(part)
  }
  const resultCount = countResults(parts)
  // Results and other parts form several messages.
  if (resultCount > 0 && resultCount < parts.length) return undefined
  return { message: createUsualMessage(resultCount > 0 ? 'tool' : role, parts, options), wire: turn }
}

function countResults(parts: readonly Part[]): number {
  let count = 0
  for (const { type } of parts) if (type === 'tool-result') count++
  return count
}

/**
 * Splits the blocks of a turn: tool results of a user turn form messages of their own, in the order of the blocks. A part whose type
 * is not allowed becomes opaque. `decode` returns undefined for a block that it has added to the run before it.
 */
export function splitTurn(
  role: TurnRole,
  blocks: readonly Json[],
  slot: string,
  allowedTypes: ReadonlySet<string>,
  decode: (block: Json, run: BlockRun | undefined) => Part | undefined,
): [BlockRun, ...BlockRun[]] {
  const runs: BlockRun[] = []
  let run: BlockRun | undefined
  for (const block of blocks) {
    const part = decode(block, run)
    if (part === undefined) continue
    const runRole = role === 'user' && part.type === 'tool-result' ? 'tool' : role
    if (run?.role !== runRole) {
      run = { role: runRole, parts: [], blocks: [] }
      runs.push(run)
    }
    run.parts.push(allowedTypes.has(part.type) ? part : createOpaquePart(slot, block))
    run.blocks.push(block)
  }
  const [first = { role, parts: [], blocks: [] }, ...others] = runs
  return [first, ...others]
}

/** Returns the hints on the form of a turn, with those on its position. */
export function createTurnHints<Form extends JsonObject>(
  role: TurnRole,
  content: Json,
  index: number,
  turns: readonly Json[],
  form: Form,
): Hints<TurnPositionHint> & Form {
  const previous = turns[index - 1]
  const isPrefill = role === 'assistant' && index === turns.length - 1
  return {
    ...(role === 'assistant' && index === 0 && { assistantFirst: true }),
    ...(isPrefill && hasTrailingWhitespace(content) && { trailingWhitespace: true }),
    ...(isObject(previous) && previous['role'] === role && { startsWireMessage: true }),
    ...(role === 'system' && { systemInMessages: true }),
    ...form,
  }
}

/** Creates the message of a run, with the hints and the unknown fields of its turn. */
export function createRunMessage<Name extends string, const Values extends JsonObject>(
  { role, parts }: BlockRun,
  options: DecodeOptions,
  slot: Slot<Name>,
  hints: Only<Values, Name>,
  rest: JsonObject = NO_FIELDS,
): Message {
  if (isEmptyObject(hints) && isEmptyObject(rest)) return createUsualMessage(role, parts, options)
  const message = { id: generateId('msg', options), role, content: parts } as Message
  return freezeOwned(withResidue(message, slot, NO_FIELDS, rest, hints))
}

/** Trims whitespace at the end of a prefill, which the API rejects, unless the prefill was decoded with it. */
export function trimPrefill(
  last: { readonly path: Path | undefined; readonly hints: { readonly trailingWhitespace?: Json } },
  turn: JsonObject,
  context: EncodeContext,
): JsonObject {
  const { role, content } = turn
  if (role !== 'assistant' || last.hints.trailingWhitespace === true || !hasTrailingWhitespace(content))
    return turn
  context.report('trailing-space', last.path)
  if (typeof content === 'string') return { ...turn, content: content.trimEnd() }
  const blocks = itemsOf(content)
  const end = blocks.at(-1)
  if (!isObject(end)) return turn
  return { ...turn, content: [...blocks.slice(0, -1), { ...end, text: getBlockText(end).trimEnd() }] }
}

/** Returns true if the last text of the content ends with whitespace. */
function hasTrailingWhitespace(content: Json | undefined): boolean {
  const end = isList(content) ? content.at(-1) : content
  const text = isObject(end) ? end['text'] : end
  return typeof text === 'string' && text !== text.trimEnd()
}
