import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { wholeMessage } from '../shared/whole.ts'
import { wireText } from '../shared/wire-text.ts'
import { applyResidue, hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'
import { encodePart } from './parts.ts'
import { signatureAlone } from './reasoning.ts'
import { SentCalls } from './sent-calls.ts'
import { isOwnCall } from '../shared/own-calls.ts'
import type { GeminiHint } from './hints.ts'

type Speaker = 'user' | 'tool' | 'assistant' | 'system'

const speakers: { readonly [role in Message['role']]: Speaker } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  tool: 'tool',
  assistant: 'assistant',
}

/** What one of our messages is on the wire, before neighbours join. */
export interface Fragment {
  readonly message: Message
  readonly speaker: Speaker
  readonly parts: readonly Json[]
  readonly hints: Hints<GeminiHint>
  readonly at: Path | undefined
}

/** A content that we could not take apart. */
export interface Unread {
  readonly unread: Json
}

/** A message as it was read, and what it came as. */
export interface Came {
  readonly message: Message
  readonly pieces: readonly (Fragment | Unread)[]
}

/** A message with its parts as they are on the wire. */
export function fragment(message: Message, parts: readonly Json[], at: Path | undefined): Fragment {
  return { message, speaker: speakers[message.role], parts, hints: hintsFor(message, SLOT), at }
}

/** More results of a message that came in another content. */
export function further(
  message: Message,
  content: Json,
  parts: readonly Json[],
  at: Path | undefined,
): Fragment {
  return {
    message,
    speaker: speakers[message.role],
    parts,
    hints: { startsWireMessage: true, contentRole: content },
    at,
  }
}

/** Nothing to send: its neighbours stand next to each other. Content that came empty is something. */
export function isNothing({ parts, hints }: Fragment): boolean {
  return parts.length === 0 && hints['contentForm'] !== 'empty-list'
}

/** Writes one of our messages as it stands in the middle of a conversation; none where it says nothing. */
export function encodeMessage(
  message: Message,
  at: Path | undefined,
  encoding: Encoding,
): readonly JsonObject[] {
  const unread = wholeMessage(message, SLOT)
  if (unread !== undefined) return [unread]
  const fragments = fragmentsOf(message, at, encoding, new SentCalls())
  return fragments
    .map((fragment) => writeTurn([inPlace(fragment, encoding)], encoding))
    .filter((content) => content !== undefined)
}

/** A message as one fragment; results that came in several contents, as one for each of those. */
export function fragmentsOf(
  message: Message,
  at: Path | undefined,
  encoding: Encoding,
  calls: SentCalls,
): readonly Fragment[] {
  const { role } = message
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  if (role === 'developer') encoding.lose('developer-role', below(at, 'role'))
  const speaker = speakers[role]
  const place = below(at, 'content')
  const adrift: string[] = []
  let leads = true
  let parts: JsonObject[] = []
  const fragments = [fragment(message, parts, at)]
  for (const [index, part] of (message.content as readonly Part[]).entries()) {
    const content = speaker === 'tool' && index > 0 ? hintsFor(part, SLOT)['contentRole'] : undefined
    if (content !== undefined) {
      parts = []
      fragments.push(further(message, content, parts, at))
    }
    const here = below(place, index)
    const alone = speaker === 'assistant' ? signatureAlone(part) : undefined
    if (alone !== undefined) {
      encoding.lose('signature-moved', here)
      adrift.push(alone)
      continue
    }
    const made = encodePart(part, { at: here, encoding, place: speaker, leads, calls, adrift })
    if (part.type === 'tool-call') calls.sent(part, made)
    if (made !== undefined) parts.push(made)
    if (isOwnCall(part)) leads = false
  }
  // Where there is no call, a signature stands at the end.
  for (const value of adrift) parts.push({ text: '', thoughtSignature: value })
  return fragments
}

/** Later instructions stay where they are, as marked text of the user. */
export function inPlace(fragment: Fragment, encoding: Encoding): Fragment {
  if (fragment.speaker !== 'system') return fragment
  if (fragment.parts.length > 0) encoding.lose('system-in-place', fragment.at)
  const parts = fragment.parts.map((part) =>
    isObject(part) && Object.hasOwn(part, 'text')
      ? { ...part, text: `<system>\n${wireText(part)}\n</system>` }
      : part,
  )
  return { ...fragment, speaker: 'user', parts, hints: {} }
}

/** Leading instructions, in the form that they came in. */
export function writeSystem(fragments: readonly Fragment[]): Json | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const parts = fragments.flatMap((fragment) => fragment.parts)
  const form = fragments.length === 1 ? first.hints['contentForm'] : undefined
  if (form === 'string') {
    const text = parts.length === 0 ? '' : plainText(parts)
    if (text !== undefined) return text
  }
  const held = formed(parts, form)
  return held === undefined ? undefined : applyResidue({ parts: held }, first.message, SLOT)
}

/** The text of parts that are one plain text and nothing else. */
function plainText(parts: readonly Json[]): string | undefined {
  const [only, ...others] = parts
  return isObject(only) &&
    others.length === 0 &&
    Object.keys(only).length === 1 &&
    typeof only['text'] === 'string'
    ? only['text']
    : undefined
}

export function writeTurn(fragments: readonly Fragment[], encoding: Encoding): JsonObject | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const parts = fragments.length === 1 ? first.parts : fragments.flatMap((fragment) => fragment.parts)
  const form = fragments.length === 1 || parts.length === 1 ? first.hints['contentForm'] : undefined
  const held = formed(parts, form)
  if (held === undefined) {
    for (const { at } of fragments) encoding.lose('empty-message', at)
    return undefined
  }
  const { contentRole: content } = first.hints
  if (content !== undefined) return content === '' ? { parts: held } : { role: content, parts: held }
  const made = { role: first.speaker === 'assistant' ? 'model' : 'user', parts: held }
  return applyResidue(made, first.message, SLOT)
}

/** Parts in the form that they came in, as long as that form can still hold them; undefined for none. */
function formed(parts: readonly Json[], form: Json | undefined): Json | undefined {
  const [only] = parts
  if (form === 'object' && only !== undefined && parts.length === 1) return only
  return parts.length > 0 || form === 'empty-list' ? parts : undefined
}
