import { throwInvalid } from '../../canonical/shape/shape.ts'
import { child, type Path } from '../../wire/json-pointer.ts'
import { TOKENS } from './constants.ts'

/** A message of the format. */
export interface HarmonyMessage {
  /** `system`, `developer`, `user`, `assistant`, `tool`, or the name of a tool. */
  readonly role: string
  readonly recipient?: string
  readonly channel?: string
  /** The type of the content, such as `json`. */
  readonly contentType?: string
  readonly content: string
  /** The token at its end; undefined for a message that was cut. */
  readonly end?: string
}

const ENDS: readonly string[] = [TOKENS.end, TOKENS.call, TOKENS.return]

/** Splits a text into messages. A completion starts with the channel of the answer. */
export function splitMessages(text: string, path: Path): readonly HarmonyMessage[] {
  const isCompletion = text.trimStart().startsWith(TOKENS.channel)
  const [before = '', ...pieces] = `${isCompletion ? `${TOKENS.start}assistant` : ''}${text}`.split(
    TOKENS.start,
  )
  checkOutside(before, path)
  return pieces.flatMap((piece, index): readonly HarmonyMessage[] => {
    const at = child(path, index)
    const start = piece.indexOf(TOKENS.message)
    if (start === -1) {
      // A header without content asks for an answer.
      if (index === pieces.length - 1) return []
      return throwInvalid(
        'invalid-value',
        at,
        'a header without content',
        `${TOKENS.message} after the header`,
      )
    }
    const body = piece.slice(start + TOKENS.message.length)
    const { content, end, rest } = cutAtEnd(body)
    checkOutside(rest, at)
    return [{ ...readHeader(piece.slice(0, start), at), content, ...(end !== undefined && { end }) }]
  })
}

function cutAtEnd(body: string): { readonly content: string; readonly end?: string; readonly rest: string } {
  const found = ENDS.flatMap((end) => {
    const index = body.indexOf(end)
    return index === -1 ? [] : [{ end, index }]
  }).toSorted((a, b) => a.index - b.index)[0]
  if (found === undefined) return { content: body, rest: '' }
  const { end, index } = found
  return { content: body.slice(0, index), end, rest: body.slice(index + end.length) }
}

function checkOutside(text: string, path: Path): void {
  if (text.replaceAll(/<\|(?:start|end)oftext\|>/g, '').trim() === '') return
  throwInvalid(
    'invalid-value',
    path,
    'text outside of a message',
    `text between ${TOKENS.message} and ${TOKENS.end}`,
  )
}

/** Reads a header: the recipient may be before or after the channel, and the content type is last. */
function readHeader(header: string, path: Path): Omit<HarmonyMessage, 'content' | 'end'> {
  const [author = '', ...channels] = header.split(TOKENS.channel)
  const [role = '', ...authorWords] = toWords(author)
  const [channel, ...channelWords] = toWords(channels.join(' ').replaceAll(TOKENS.constrain, ' '))
  const words = [...authorWords, ...channelWords]
  if (role === '') throwInvalid('invalid-value', path, 'a header without a role', 'a role')
  const recipient = words.find((word) => word.startsWith('to='))?.slice('to='.length)
  const contentType = words.find((word) => !word.startsWith('to='))
  return {
    role,
    ...(recipient !== undefined && { recipient }),
    ...(channel !== undefined && { channel }),
    ...(contentType !== undefined && { contentType }),
  }
}

const toWords = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')

/** Writes a message. Its texts must not contain tokens. */
export function writeHarmonyMessage(message: HarmonyMessage): string {
  const { role, recipient, channel, contentType, content, end = TOKENS.end } = message
  const to = recipient === undefined ? '' : ` to=${recipient}`
  // Calls have the recipient after the channel, and results before it, as the guide shows them.
  const isCall = role === 'assistant'
  const place = channel === undefined ? '' : `${TOKENS.channel}${channel}${isCall ? to : ''}`
  const type = contentType === undefined ? '' : ` ${TOKENS.constrain}${contentType}`
  return `${TOKENS.start}${role}${isCall ? '' : to}${place}${type}${TOKENS.message}${content}${end}`
}

/** Returns a name as a word of a header; every other character is written as its code. */
export function toHeaderWord(name: string): string {
  return name.replaceAll(/[^\w.-]/g, (unit) => `%${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Reverses {@link toHeaderWord}. */
export function readHeaderWord(word: string): string {
  return word.replaceAll(/%([\da-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
