import type { Message, Role } from '../../canonical/model/message.ts'
import type { Part, ReasoningPart } from '../../canonical/model/part.ts'
import { isList, isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { wholeMessage } from '../shared/whole.ts'
import { wireText } from '../shared/wire-text.ts'
import { applyResidue, hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'
import { areStrangers } from './models.ts'
import { encodeParts } from './parts.ts'
import { plainText } from './text.ts'
import type { AnthropicHint } from './hints.ts'

export type WireRole = 'user' | 'assistant' | 'system'

/** What one of our messages is on the wire, before neighbours join. */
export interface Fragment {
  readonly message: Message
  readonly role: WireRole
  readonly blocks: readonly Json[]
  readonly hints: Hints<AnthropicHint>
  readonly at: Path | undefined
}

/** A message that we could not take apart, and the turn that it holds. */
export interface Unread {
  readonly message: Message
  readonly unread: Json
}

const wireRoles: { readonly [role in Role]: WireRole } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
}

export function fragment(message: Message, blocks: readonly Json[], at: Path | undefined): Fragment {
  return { message, role: wireRoles[message.role], blocks, hints: hintsFor(message, SLOT), at }
}

export function fragmentOf(message: Message, at: Path | undefined, encoding: Encoding): Fragment {
  const { role } = message
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  if (role === 'developer') encoding.lose('developer-role', below(at, 'role'))
  const place = role === 'assistant' ? 'assistant' : 'user'
  const blocks = encodeParts(contentFor(message, encoding), below(at, 'content'), encoding, place)
  return fragment(message, blocks, at)
}

/** What a message says to a model: models of other makers speak this format, too, and sign as they like. */
function contentFor(message: Message, { options }: Encoding): readonly Part[] {
  if (message.role !== 'assistant' || !areStrangers(message.origin?.model, options.model))
    return message.content
  return message.content.map((part) => (part.type === 'reasoning' ? foreignThought(part) : part))
}

function foreignThought({ text, redacted, cache }: ReasoningPart): ReasoningPart {
  const kept = { ...(redacted && { redacted }), ...(cache && { cache }) }
  return { type: 'reasoning', text, ...kept, signature: { vendor: 'another', value: '', contentDigest: '' } }
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

/** Later instructions stay where they are: as they came, or as marked text of the user. */
export function inPlace(fragment: Fragment, encoding: Encoding): Fragment {
  if (fragment.role !== 'system' || fragment.hints['systemInMessages'] === true) return fragment
  if (fragment.blocks.length > 0) encoding.lose('system-in-place', fragment.at)
  const blocks = fragment.blocks.map((block) => {
    return isObject(block) && block['type'] === 'text'
      ? { ...block, text: `<system>\n${wireText(block)}\n</system>` }
      : block
  })
  return { ...fragment, role: 'user', blocks }
}

/** Nothing to send: its neighbours stand next to each other. Content that came empty is something. */
export function isNothing({ blocks, hints }: Fragment): boolean {
  return blocks.length === 0 && hints['contentForm'] === undefined
}

/** The turn that fragments are together; undefined where that is nothing. */
export function writeTurn(fragments: readonly Fragment[], encoding: Encoding): JsonObject | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const content = contentOf(fragments)
  if (content === undefined) {
    for (const { at } of fragments) encoding.lose('empty-message', at)
    return undefined
  }
  return applyResidue({ role: first.role, content }, first.message, SLOT)
}

/** An answer at the end that the model is to go on with: white space after it is refused, unless it came so. */
export function withoutTrail(last: Fragment, turn: JsonObject, encoding: Encoding): JsonObject {
  const { role, content } = turn
  if (role !== 'assistant' || last.hints['trailingWhitespace'] === true || !endsBlank(content)) return turn
  encoding.lose('trailing-space', last.at)
  if (typeof content === 'string') return { ...turn, content: content.trimEnd() }
  if (!isList(content)) return turn
  const trimmed = content.map((block, at) =>
    at === content.length - 1 && isObject(block) ? { ...block, text: wireText(block).trimEnd() } : block,
  )
  return { ...turn, content: trimmed }
}

/** Whether white space is the last thing that is said. */
export function endsBlank(content: Json | undefined): boolean {
  const end = isList(content) ? content.at(-1) : content
  const text = isObject(end) ? end['text'] : end
  return typeof text === 'string' && text !== text.trimEnd()
}

/** What the fragments say together; undefined where that is nothing. */
export function contentOf(fragments: readonly Fragment[]): Json | undefined {
  const [only] = fragments
  // Most turns are one message, whose blocks need not be copied.
  const blocks = only && fragments.length === 1 ? only.blocks : fragments.flatMap((each) => each.blocks)
  return formed(blocks, fragments) ?? (blocks.length > 0 ? blocks : undefined)
}

/** Content in the form that it came in, as long as that form can still hold it. */
function formed(blocks: readonly Json[], fragments: readonly Fragment[]): Json | undefined {
  const form = fragments.length === 1 ? fragments[0]?.hints['contentForm'] : undefined
  if (form === 'string') return blocks.length === 0 ? '' : plainText(blocks)
  return form === 'empty-list' && blocks.length === 0 ? [] : undefined
}
