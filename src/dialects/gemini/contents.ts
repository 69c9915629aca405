import type { Message } from '../../canonical/model/message.ts'
import type { Part } from '../../canonical/model/part.ts'
import { isObject, type Json, type JsonObject } from '../../wire/json.ts'
import { below, type Path } from '../../wire/pointer.ts'
import type { Hints } from '../../wire/residue.ts'
import type { Encoding } from '../encoding.ts'
import { settle } from '../settle.ts'
import { OPENING } from '../shared/validity.ts'
import { wholeMessage } from '../shared/whole.ts'
import { wireText } from '../shared/wire-text.ts'
import { applyResidue, hintsFor } from '../unit.ts'
import { SLOT } from './codes.ts'
import { encodePart, type Place } from './parts.ts'
import { signatureAlone } from './reasoning.ts'
import { SentCalls } from './sent-calls.ts'

type Speaker = 'user' | 'tool' | 'assistant' | 'system'

/** What one of our messages is on the wire, before neighbours join. */
interface Fragment {
  readonly message: Message
  readonly speaker: Speaker
  readonly parts: readonly JsonObject[]
  readonly hints: Hints
  readonly at: Path | undefined
}

/** A content: of fragments that join, or one that we could not take apart. */
type Turn = { readonly fragments: Fragment[] } | { readonly unread: JsonObject }

/** The conversation on the wire: leading instructions, and the contents. */
export interface WireConversation {
  readonly systemInstruction?: Json
  readonly contents: readonly JsonObject[]
}

/** Writes the conversation: leading instructions before it, and a content for each message that does not join another. */
export function encodeMessages(
  messages: Iterable<Message>,
  at: Path,
  encoding: Encoding,
  empty: boolean,
): WireConversation {
  const leading: Fragment[] = []
  const turns: Turn[] = []
  const calls = new SentCalls()
  for (const { message, at: here } of settle(messages, SLOT, at, encoding)) {
    const unread = wholeMessage(message, SLOT)
    if (unread !== undefined) {
      turns.push({ unread })
      continue
    }
    for (const fragment of fragmentsOf(message, here, encoding, calls)) {
      if (fragment.speaker === 'system' && turns.length === 0) leading.push(fragment)
      else if (isSilent(fragment)) encoding.lose('empty-message', fragment.at)
      else join(turns, inPlace(fragment, encoding))
    }
  }
  const system = writeSystem(leading)
  return {
    ...(system !== undefined && { systemInstruction: system }),
    contents: begun(turns, at, encoding, empty),
  }
}

/** Whether a message leaves nothing to send: it must not stand between two that join. */
function isSilent({ parts, hints }: Fragment): boolean {
  return parts.length === 0 && hints['form'] !== 'list'
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

/** The contents, begun by the user, or as they came. */
function begun(turns: readonly Turn[], at: Path, encoding: Encoding, empty: boolean): readonly JsonObject[] {
  const contents = turns
    .map((turn) => ('unread' in turn ? turn.unread : writeTurn(turn.fragments, encoding)))
    .filter((content) => content !== undefined)
  const [first] = contents
  const [fragment] = fragmentsIn(turns[0]) ?? []
  const answered = isObject(first) && first['role'] === 'model'
  const asCame = fragment === undefined || fragment.hints['first'] === true
  if (first === undefined ? empty : asCame || !answered) return contents
  encoding.lose('first-turn', fragment?.at ?? at)
  return [{ role: 'user', parts: [{ text: OPENING }] }, ...contents]
}

const speakers: { readonly [role in Message['role']]: Speaker } = {
  system: 'system',
  developer: 'system',
  user: 'user',
  tool: 'tool',
  assistant: 'assistant',
}

/** A message as one fragment; results that came in several contents, as one for each of those. */
function fragmentsOf(
  message: Message,
  at: Path | undefined,
  encoding: Encoding,
  calls: SentCalls,
): readonly Fragment[] {
  const { role } = message
  if (message.name !== undefined) encoding.lose('message-name', below(at, 'name'))
  if (role === 'developer') encoding.lose('developer-role', below(at, 'role'))
  const speaker = speakers[role]
  const fragments: (Fragment & { readonly parts: JsonObject[] })[] = []
  const adrift: string[] = []
  let leads = true
  const open = (hints: Hints): void => void fragments.push({ message, speaker, parts: [], hints, at })
  open(hintsFor(message, SLOT))
  for (const [index, part] of (message.content as readonly Part[]).entries()) {
    const content = speaker === 'tool' && index > 0 ? hintsFor(part, SLOT)['content'] : undefined
    if (content !== undefined) open({ split: true, content })
    const place: Place = speaker
    const here = below(below(at, 'content'), index)
    const alone = speaker === 'assistant' ? signatureAlone(part) : undefined
    if (alone !== undefined) {
      encoding.lose('signature-moved', here)
      adrift.push(alone)
      continue
    }
    const made = encodePart(part, { at: here, encoding, place, leads, calls, adrift })
    if (part.type === 'tool-call') calls.sent(part, made)
    if (made !== undefined) fragments.at(-1)?.parts.push(made)
    if (part.type === 'tool-call' && part.executedBy === undefined) leads = false
  }
  // Where there is no call, a signature stands at the end.
  fragments.at(-1)?.parts.push(...adrift.map((value) => ({ text: '', thoughtSignature: value })))
  return fragments
}

/** Later instructions stay where they are, as marked text of the user. */
function inPlace(fragment: Fragment, encoding: Encoding): Fragment {
  if (fragment.speaker !== 'system') return fragment
  if (fragment.parts.length > 0) encoding.lose('system-in-place', fragment.at)
  const parts = fragment.parts.map((part) =>
    isObject(part) && Object.hasOwn(part, 'text')
      ? { ...part, text: `<system>\n${wireText(part)}\n</system>` }
      : part,
  )
  return { ...fragment, speaker: 'user', parts, hints: {} }
}

/** Answers join answers and results join results; other messages only where they came in one content. */
function join(turns: Turn[], fragment: Fragment): void {
  const { speaker, hints } = fragment
  const open = fragmentsIn(turns.at(-1))
  const before = open?.at(-1)?.speaker
  const isOne = speaker === 'assistant' ? before === 'assistant' : before === 'user' || before === 'tool'
  const joins = hints['join'] === true ? isOne : before === speaker && speaker !== 'user'
  if (open !== undefined && joins && hints['split'] !== true) open.push(fragment)
  else turns.push({ fragments: [fragment] })
}

function fragmentsIn(turn: Turn | undefined): Fragment[] | undefined {
  return turn !== undefined && 'fragments' in turn ? turn.fragments : undefined
}

function writeSystem(fragments: readonly Fragment[]): Json | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const parts = fragments.flatMap((fragment) => fragment.parts)
  const form = fragments.length === 1 ? first.hints['form'] : undefined
  if (form === 'string') {
    const text = parts.length === 0 ? '' : plainText(parts)
    if (text !== undefined) return text
  }
  const held = formed(parts, form)
  return held === undefined ? undefined : applyResidue({ parts: held }, first.message, SLOT)
}

/** The text of parts that are one plain text and nothing else. */
function plainText(parts: readonly JsonObject[]): string | undefined {
  const [only, ...others] = parts
  return isObject(only) &&
    others.length === 0 &&
    Object.keys(only).length === 1 &&
    typeof only['text'] === 'string'
    ? only['text']
    : undefined
}

function writeTurn(fragments: readonly Fragment[], encoding: Encoding): JsonObject | undefined {
  const [first] = fragments
  if (first === undefined) return undefined
  const parts = fragments.flatMap((fragment) => fragment.parts)
  const form = fragments.length === 1 || parts.length === 1 ? first.hints['form'] : undefined
  const held = formed(parts, form)
  if (held === undefined) {
    for (const { at } of fragments) encoding.lose('empty-message', at)
    return undefined
  }
  const { content } = first.hints
  if (content !== undefined) return content === '' ? { parts: held } : { role: content, parts: held }
  const made = { role: first.speaker === 'assistant' ? 'model' : 'user', parts: held }
  return applyResidue(made, first.message, SLOT)
}

/** Parts in the form that they came in, as long as that form can still hold them; undefined for none. */
function formed(parts: readonly JsonObject[], form: Json | undefined): Json | undefined {
  const [only, ...others] = parts
  if (form === 'object' && only !== undefined && others.length === 0) return only
  return parts.length > 0 || form === 'list' ? parts : undefined
}
