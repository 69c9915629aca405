import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { fromJson, type StoredKind } from '../../canonical/stored/stored-form.ts'
import { detect, type Detection } from '../../dialects/engine/detect.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { dialects } from '../../dialects/dialects.ts'
import { InterlinguaError } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'

/** Name of the stored format, as `detect` returns it. */
export const STORED_FORMAT = 'interlingua'

export type FormatName = DialectName | typeof STORED_FORMAT

export const FORMAT_NAMES: readonly FormatName[] = [
  ...(Object.keys(dialects) as DialectName[]),
  STORED_FORMAT,
]

export type DocumentContent =
  | { readonly kind: 'request'; readonly request: ChatRequest }
  | { readonly kind: 'response'; readonly response: ChatResponse }
  | { readonly kind: 'messages'; readonly messages: Messages }

export interface InputDocument {
  readonly content: DocumentContent
  readonly detected: Detection
  readonly losses: readonly Loss[]
}

/** The `--from` and `--kind` options; an omitted one is detected. */
export interface InputFormatOptions {
  readonly from?: FormatName
  readonly kind?: Detection['kind']
}

/** Evidence of a format that `--from` sets and detection did not confirm. */
export const GIVEN_BY_OPTION = 'given by option'

/** Returns the most likely format of a value among those that the options allow. */
export function detectFormat(value: unknown, { from, kind }: InputFormatOptions): Detection {
  const found = detect(value).find(
    (each) => (from === undefined || each.name === from) && (kind === undefined || each.kind === kind),
  )
  if (found !== undefined) return found
  if (from !== undefined) {
    const givenKind = from === STORED_FORMAT ? 'stored' : (kind ?? 'request')
    return { kind: givenKind, name: from, certainty: 0, evidence: GIVEN_BY_OPTION }
  }
  throw new InterlinguaError(
    'invalid-value',
    'The input is not a known request, response, stream or stored conversation',
    {
      path: '',
      expected: `one of the formats ${FORMAT_NAMES.join(', ')}`,
      hint: 'Set its format with --from and --kind.',
    },
  )
}

export function readDocument(value: unknown, formatOptions: InputFormatOptions = {}): InputDocument {
  const detected = detectFormat(value, formatOptions)
  const { name, kind } = detected
  if (!isDialectName(name)) return { content: readStored(value), detected, losses: [] }
  if (kind === 'response') {
    const { value: response, losses } = dialects[name].decodeResponse(value)
    return { content: { kind, response }, detected, losses }
  }
  const { value: request, losses } = dialects[name].decodeRequest(value)
  return { content: { kind: 'request', request }, detected, losses }
}

export function isDialectName(name: string): name is DialectName {
  return Object.hasOwn(dialects, name)
}

const toMessagesContent = (messages: Iterable<Message>): DocumentContent => ({
  kind: 'messages',
  messages: Messages.from(messages),
})

const storedReaders: { readonly [kind in StoredKind]: (value: unknown) => DocumentContent } = {
  request: (value) => ({ kind: 'request', request: fromJson(value, 'request') }),
  response: (value) => ({ kind: 'response', response: fromJson(value, 'response') }),
  messages: (value) => toMessagesContent(fromJson(value)),
  message: (value) => toMessagesContent([fromJson(value, 'message')]),
  store: (value) => toMessagesContent(fromJson(value, 'store').toMessages()),
}

function readStored(value: unknown): DocumentContent {
  const kind = (Object.keys(storedReaders) as StoredKind[]).find(
    (key) => isObject(value) && Object.hasOwn(value, key),
  )
  return storedReaders[kind ?? 'messages'](value)
}

export function getMessages(content: DocumentContent): readonly Message[] {
  if (content.kind === 'response') return content.response.candidates
  return [...(content.kind === 'request' ? content.request : content).messages]
}
