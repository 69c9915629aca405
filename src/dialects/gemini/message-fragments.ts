import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { EncodeContext } from '../engine/encode-context.ts'
import { getOpaqueMessage } from '../shared/opaque-message.ts'
import { getBlockText } from '../shared/read-wire.ts'
import { applyResidue, getHints } from '../engine/residue-slots.ts'
import { DIALECT_SLOT } from './constants.ts'
import { encodePart } from './parts.ts'
import { getDetachedSignature } from './reasoning.ts'
import { EncodedCalls } from './encoded-calls.ts'
import { isApplicationCall } from '../../canonical/read/message-content.ts'
import type { GeminiHint } from './hints.ts'

type WireRole = 'user' | 'tool' | 'assistant' | 'system'

const wireRoles: { readonly [role in Message['role']]: WireRole } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  tool: 'tool',
  assistant: 'assistant',
}

/** What one of our messages is on the wire, before neighbours join. */
export interface MessageFragment {
  readonly message: Message
  readonly role: WireRole
  readonly parts: readonly Json[]
  readonly hints: Hints<GeminiHint>
  readonly path: Path | undefined
}

/** A content that we could not take apart. */
export interface UndecodedTurn {
  readonly wire: Json
}

/** A message as it was read, and what it came as. */
export interface DecodedMessage {
  readonly message: Message
  readonly fragments: readonly (MessageFragment | UndecodedTurn)[]
}

/** A message with its parts as they are on the wire. */
export function createFragment(
  message: Message,
  parts: readonly Json[],
  path: Path | undefined,
): MessageFragment {
  return { message, role: wireRoles[message.role], parts, hints: getHints(message, DIALECT_SLOT), path }
}

/** More results of a message that came in another content. */
export function createContinuationFragment(
  message: Message,
  content: Json,
  parts: readonly Json[],
  path: Path | undefined,
): MessageFragment {
  return {
    message,
    role: wireRoles[message.role],
    parts,
    hints: { startsWireMessage: true, contentRole: content },
    path,
  }
}

/** Nothing to send: its neighbours stand next to each other. Content that came empty is something. */
export function isEmptyFragment({ parts, hints }: MessageFragment): boolean {
  return parts.length === 0 && hints['contentForm'] !== 'empty-list'
}

/** Writes one of our messages as it stands in the middle of a conversation; none where it says nothing. */
export function encodeMessage(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
): readonly JsonObject[] {
  const unread = getOpaqueMessage(message, DIALECT_SLOT)
  if (unread !== undefined) return [unread]
  const fragments = encodeFragments(message, path, context, new EncodedCalls())
  return fragments
    .map((fragment) => encodeTurn([convertLaterSystem(fragment, context)], context))
    .filter((content) => content !== undefined)
}

/** A message as one fragment; results that came in several contents, as one for each of those. */
export function encodeFragments(
  message: Message,
  path: Path | undefined,
  context: EncodeContext,
  calls: EncodedCalls,
): readonly MessageFragment[] {
  const { role } = message
  if (message.name !== undefined) context.report('message-name', child(path, 'name'))
  if (role === 'developer') context.report('developer-role', child(path, 'role'))
  const speaker = wireRoles[role]
  const contentPath = child(path, 'content')
  const adrift: string[] = []
  let leads = true
  let parts: JsonObject[] = []
  const fragments = [createFragment(message, parts, path)]
  for (const [index, part] of (message.content as readonly Part[]).entries()) {
    const content = speaker === 'tool' && index > 0 ? getHints(part, DIALECT_SLOT)['contentRole'] : undefined
    if (content !== undefined) {
      parts = []
      fragments.push(createContinuationFragment(message, content, parts, path))
    }
    const partPath = child(contentPath, index)
    const alone = speaker === 'assistant' ? getDetachedSignature(part) : undefined
    if (alone !== undefined) {
      context.report('signature-moved', partPath)
      adrift.push(alone)
      continue
    }
    const made = encodePart(part, {
      path: partPath,
      context,
      location: speaker,
      isFirstCall: leads,
      calls,
      detachedSignatures: adrift,
    })
    if (part.type === 'tool-call') calls.addCall(part, made)
    if (made !== undefined) parts.push(made)
    if (isApplicationCall(part)) leads = false
  }
  // Where there is no call, a signature stands at the end.
  for (const value of adrift) parts.push({ text: '', thoughtSignature: value })
  return fragments
}

/** Later instructions stay where they are, as marked text of the user. */
export function convertLaterSystem(fragment: MessageFragment, context: EncodeContext): MessageFragment {
  if (fragment.role !== 'system') return fragment
  if (fragment.parts.length > 0) context.report('system-in-place', fragment.path)
  const parts = fragment.parts.map((part) =>
    isObject(part) && Object.hasOwn(part, 'text')
      ? { ...part, text: `<system>\n${getBlockText(part)}\n</system>` }
      : part,
  )
  return { ...fragment, role: 'user', parts, hints: {} }
}

/** Leading instructions, in the form that they came in. */
export function encodeSystem(fragments: readonly MessageFragment[]): Json | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const parts = fragments.flatMap((fragment) => fragment.parts)
  const form = fragments.length === 1 ? first.hints['contentForm'] : undefined
  if (form === 'string') {
    const text = parts.length === 0 ? '' : getPlainText(parts)
    if (text !== undefined) return text
  }
  const held = restoreForm(parts, form)
  return held === undefined ? undefined : applyResidue({ parts: held }, first.message, DIALECT_SLOT)
}

/** The text of parts that are one plain text and nothing else. */
function getPlainText(parts: readonly Json[]): string | undefined {
  const [only, ...others] = parts
  return isObject(only) &&
    others.length === 0 &&
    Object.keys(only).length === 1 &&
    typeof only['text'] === 'string'
    ? only['text']
    : undefined
}

export function encodeTurn(
  fragments: readonly MessageFragment[],
  context: EncodeContext,
): JsonObject | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const parts = fragments.length === 1 ? first.parts : fragments.flatMap((fragment) => fragment.parts)
  const form = fragments.length === 1 || parts.length === 1 ? first.hints['contentForm'] : undefined
  const held = restoreForm(parts, form)
  if (held === undefined) {
    for (const { path } of fragments) context.report('empty-message', path)
    return undefined
  }
  const { contentRole: content } = first.hints
  if (content !== undefined) return content === '' ? { parts: held } : { role: content, parts: held }
  const made = { role: first.role === 'assistant' ? 'model' : 'user', parts: held }
  return applyResidue(made, first.message, DIALECT_SLOT)
}

/** Parts in the form that they came in, as long as that form can still hold them; undefined for none. */
function restoreForm(parts: readonly Json[], form: Json | undefined): Json | undefined {
  const [only] = parts
  if (form === 'object' && only !== undefined && parts.length === 1) return only
  return parts.length > 0 || form === 'empty-list' ? parts : undefined
}
