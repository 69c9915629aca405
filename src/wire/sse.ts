import { InterlinguaError } from '../errors.ts'
import type { ByteSource } from './byte-source.ts'
import { resolveStreamLimits, type StreamLimits, createLimitError } from './stream-limits.ts'
import { createLineSplitter } from './line-splitter.ts'
import { type StreamParseOptions, parseByteSource } from './stream-parser.ts'
import { TextBuffer } from './text-buffer.ts'
import type { StreamParser } from './utf8-reader.ts'

/** One server-sent event. */
export interface SseEvent {
  /** The event's name; absent for an unnamed one, which browsers call `message`. */
  readonly event?: string
  readonly data: string
  /** The id in this event; unlike a browser, the parser does not repeat the id of an earlier event. */
  readonly id?: string
  /** The reconnection time in milliseconds, if the event contains one. */
  readonly retry?: number
}

type Mutable<T> = { -readonly [key in keyof T]: T[key] }

const COLON = 58
const SPACE = 32

/**
 * Parses server-sent events as the HTML standard requires, with one exception: the last event is returned even if the
 * blank line after it is missing, as with many hosts. (A stream that was cut may therefore end with an incomplete
 * event.)
 *
 * The source is read only when the next event is requested. It is cancelled when the consumer stops early, when a limit
 * is exceeded, and on abort, which rejects with the signal's reason at once, even while the source is silent.
 *
 * @example
 * for await (const { data } of parseSse(response.body, { signal })) console.log(data)
 */
export function parseSse(source: ByteSource, options?: StreamParseOptions): AsyncIterable<SseEvent> {
  return parseByteSource(source, createSseParser, options)
}

/**
 * Creates the push parser behind {@link parseSse}, for callers that already have the bytes: synchronous, an
 * event is passed on as soon as it ends.
 *
 * A line of JSON without a field name, which the standard ignores, is passed to `onUnnamedJson`: failing
 * hosts end their stream with one.
 *
 * @example
 * const parser = createSseParser((event) => console.log(event.data))
 * parser.push('data: Hel')
 * parser.push('lo\n\n') // Hello
 * parser.end()
 */
export function createSseParser(
  onEvent: (event: SseEvent) => void,
  limits?: StreamLimits,
  onUnnamedJson?: (json: string) => void,
): StreamParser {
  const maxChars = resolveStreamLimits(limits).maxEventChars
  const moreLines = new TextBuffer()
  let data: string | undefined
  let event: string | undefined
  let id: string | undefined
  let retry: number | undefined
  let hasMoreLines = false
  let isUnnamedJson = false
  let size = 0

  function addData(value: string): void {
    if (data === undefined) data = value
    else {
      moreLines.push('\n')
      moreLines.push(value)
      hasMoreLines = true
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
    if (size > maxChars) throw createLimitError('event-too-large', maxChars)
    if (text.startsWith('data:', start)) addData(readFieldValue(text, start + 5, end))
    else if (text.startsWith('event:', start)) event = readFieldValue(text, start + 6, end)
    else addLine(text.slice(start, end))
  }

  function addLine(line: string): void {
    isUnnamedJson ||= onUnnamedJson !== undefined && line.startsWith('{')
    if (isUnnamedJson) {
      addData(line)
      return
    }
    const colon = line.indexOf(':')
    if (colon === -1) addField(line, '')
    else addField(line.slice(0, colon), readFieldValue(line, colon + 1, line.length))
  }

  function dispatch(): void {
    const text = data === undefined || !hasMoreLines ? data : data + moreLines.take()
    const found = text === undefined || isUnnamedJson ? undefined : createEvent(text, event, id, retry)
    const json = isUnnamedJson ? text : undefined
    data = event = id = retry = undefined
    hasMoreLines = isUnnamedJson = false
    size = 0
    if (found !== undefined) onEvent(found)
    else if (json !== undefined) onUnnamedJson?.(json)
  }

  const splitter = createLineSplitter(onLine, limits)
  return {
    push: splitter.push,
    end() {
      splitter.end()
      // An empty last `data` may be the start of a line that was cut off.
      if (data !== '' || hasMoreLines) dispatch()
    },
  }
}

/** Returns the value after the colon, without one leading space. */
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
 * Frames one event, ready to send. A line break in the data starts another `data:` line, so CR and CRLF are read back
 * as LF. A name or id that contains a line break is rejected, since it could forge fields or events.
 *
 * @example
 * writeSse({ event: 'ping', data: '{}' }) // 'event: ping\ndata: {}\n\n'
 */
export function formatSseEvent({ event, data, id, retry }: SseEvent): string {
  let head = ''
  if (event !== undefined && event !== '') head += `event: ${requireOneLine('event', event)}\n`
  if (id !== undefined) head += `id: ${requireOneLine('id', id)}\n`
  if (retry !== undefined) head += `retry: ${requireDigits(retry)}\n`
  const lines = /[\r\n]/.test(data) ? data.replaceAll(/\r\n|\r|\n/g, '\ndata: ') : data
  return `${head}data: ${lines}\n\n`
}

/** Frames an event whose data is JSON on one line. */
export function formatJsonEvent(event: string | undefined, json: string): string {
  return event === undefined || event === ''
    ? `data: ${json}\n\n`
    : `event: ${requireOneLine('event', event)}\ndata: ${json}\n\n`
}

function requireOneLine(field: string, value: string): string {
  if (!/[\r\n\0]/.test(value)) return value
  throw createFieldError(field, 'a text with a line break or a NUL', 'a text of one line')
}

function requireDigits(retry: number): string {
  const text = String(retry)
  if (/^\d{1,15}$/.test(text)) return text
  throw createFieldError('retry', 'a number of another form', 'an integer number of milliseconds')
}

function createFieldError(field: string, found: string, expected: string): InterlinguaError {
  return new InterlinguaError('invalid-value', `The field '${field}' of a server-sent event is ${found}`, {
    path: `/${field}`,
    found,
    expected,
    hint: 'Only the field data may contain arbitrary text: move the text to data.',
  })
}
