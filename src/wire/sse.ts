import { InterlinguaError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { resolveLimits, type StreamLimits, createLimitError } from './limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import { type StreamParseOptions, parseByteSource } from './stream-parser.ts'
import { createTextBuffer } from './text-buffer.ts'
import type { StreamParser } from './utf8-reader.ts'

/** One server-sent event. */
export interface SseEvent {
  /** The event's name; absent for an unnamed one, which browsers call `message`. */
  readonly event?: string
  readonly data: string
  /** The id that stands in this very event; the browsers' habit of keeping the last one is the caller's. */
  readonly id?: string
  /** Milliseconds that a client should wait before it reconnects, if this event says so. */
  readonly retry?: number
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

const COLON = 58
const SPACE = 32

/**
 * Reads server-sent events as the HTML standard says, with one exception: the last event is given even when the blank
 * line after it is missing, as it is at many hosts. (A stream that was cut may so end in half an event.)
 *
 * The source is read only when the next event is asked for. It is cancelled when the reader stops early, when a limit is
 * passed, and on abort, which rejects with the signal's reason at once, be the source silent or not.
 *
 * @example
 * for await (const { data } of parseSse(response.body, { signal })) console.log(data)
 */
export function parseSse(source: ByteSource, options?: StreamParseOptions): AsyncIterable<SseEvent> {
  return parseByteSource(source, createSseParser, options)
}

/**
 * The same as {@link parseSse} for those who hold the bytes already: synchronous, an event is given as soon as it ends.
 *
 * @example
 * const parser = createSseParser((event) => console.log(event.data))
 * parser.push('data: Hel')
 * parser.push('lo\n\n') // Hello
 * parser.end()
 *
 * Lines of JSON that lack the name of their field, which the standard passes over, are given to `onBare`: hosts that fail
 * end their stream like that.
 */
export function createSseParser(
  onEvent: (event: SseEvent) => void,
  limits?: StreamLimits,
  onUnnamedJson?: (json: string) => void,
): StreamParser {
  const max = resolveLimits(limits).maxEventChars
  const moreData = createTextBuffer()
  let data: string | undefined
  let event: string | undefined
  let id: string | undefined
  let retry: number | undefined
  let hasMore = false
  let bare = false
  let size = 0

  function addData(value: string): void {
    if (data === undefined) data = value
    else {
      moreData.push('\n')
      moreData.push(value)
      hasMore = true
    }
  }

  function addField(name: string, value: string): void {
    if (name === 'data') addData(value)
    else if (name === 'event') event = value
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d{1,15}$/.test(value)) retry = Number(value)
  }

  function onLine(text: string, start: number, end: number): void {
    if (start === end) {
      dispatch()
      return
    }
    if (text.charCodeAt(start) === COLON) return
    size += end - start + 1
    if (size > max) throw createLimitError('event-too-large', max)
    if (text.startsWith('data:', start)) addData(readFieldValue(text, start + 5, end))
    else if (text.startsWith('event:', start)) event = readFieldValue(text, start + 6, end)
    else addLine(text.slice(start, end))
  }

  function addLine(line: string): void {
    bare ||= onUnnamedJson !== undefined && line.startsWith('{')
    if (bare) {
      addData(line)
      return
    }
    const colon = line.indexOf(':')
    if (colon === -1) addField(line, '')
    else addField(line.slice(0, colon), readFieldValue(line, colon + 1, line.length))
  }

  function dispatch(): void {
    const said = data === undefined || !hasMore ? data : data + moreData.take()
    const found = said === undefined || bare ? undefined : createEvent(said, event, id, retry)
    const json = bare ? said : undefined
    data = event = id = retry = undefined
    hasMore = bare = false
    size = 0
    if (found !== undefined) onEvent(found)
    else if (json !== undefined) onUnnamedJson?.(json)
  }

  const splitter = createLineSplitter(onLine, limits)
  return {
    push: splitter.push,
    end() {
      splitter.end()
      // An empty last `data` may be all that a cut left of one.
      if (data !== '' || hasMore) dispatch()
    },
  }
}

/** What follows the colon, but for one space. */
function readFieldValue(text: string, start: number, end: number): string {
  return text.slice(text.charCodeAt(start) === SPACE ? start + 1 : start, end)
}

function createEvent(data: string, event?: string, id?: string, retry?: number): SseEvent {
  const found: Mutable<SseEvent> = event === undefined || event === '' ? { data } : { event, data }
  if (id !== undefined) found.id = id
  if (retry !== undefined) found.retry = retry
  return found
}

/**
 * Frames one event, ready to send. A line break in the data becomes a further `data:` line, so CR and CRLF are read back
 * as LF; a name or id that holds one is refused, since it could forge fields or whole events.
 *
 * @example
 * writeSse({ event: 'ping', data: '{}' }) // 'event: ping\ndata: {}\n\n'
 */
export function writeSse({ event, data, id, retry }: SseEvent): string {
  let head = ''
  if (event !== undefined && event !== '') head += `event: ${requireOneLine('event', event)}\n`
  if (id !== undefined) head += `id: ${requireOneLine('id', id)}\n`
  if (retry !== undefined) head += `retry: ${requireDigits(retry)}\n`
  const lines = /[\r\n]/.test(data) ? data.replaceAll(/\r\n|\r|\n/g, '\ndata: ') : data
  return `${head}data: ${lines}\n\n`
}

function requireOneLine(field: string, value: string): string {
  if (!/[\r\n\0]/.test(value)) return value
  throw createFieldError(field, 'a text with a line break or a NUL', 'a text of one line')
}

function requireDigits(retry: number): string {
  const text = String(retry)
  if (/^\d{1,15}$/.test(text)) return text
  throw createFieldError('retry', 'another number', 'a whole number of milliseconds')
}

function createFieldError(field: string, found: string, expected: string): InterlinguaError {
  return new InterlinguaError('invalid-value', `The ${field} of an event is ${found}`, {
    path: `/${field}`,
    found,
    expected,
    hint: 'Only data may hold any text: put it there.',
  })
}
