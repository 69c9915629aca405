import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { fromJson, type StoredKind } from '../../canonical/stored/stored.ts'
import { detect, type Detected } from '../../dialects/detect.ts'
import type { DialectName } from '../../dialects/dialect.ts'
import { dialects } from '../../dialects/translate.ts'
import { InterlinguaError } from '../../errors.ts'
import { isObject } from '../../wire/json.ts'

/** Our own stored form, by the name that `detect` gives it. */
export const STORED = 'interlingua'

/** A form that can be read and written. */
export type FormName = DialectName | typeof STORED

export const FORMS: readonly FormName[] = [...(Object.keys(dialects) as DialectName[]), STORED]

/** What is in a file, whichever form it has there. */
export type Content =
  | { readonly kind: 'request'; readonly request: ChatRequest }
  | { readonly kind: 'response'; readonly response: ChatResponse }
  | { readonly kind: 'messages'; readonly messages: Messages }

/** A document that was read. */
export interface Document {
  readonly content: Content
  readonly detected: Detected
  /** What reading it cost. */
  readonly losses: readonly Loss[]
}

/** What the user says about the input; what is not said is found out. */
export interface Told {
  readonly from?: FormName
  readonly kind?: Detected['kind']
}

/** What a value seems to be, within what was said about it. */
export function recognise(value: unknown, { from, kind }: Told): Detected {
  const found = detect(value).find(
    (each) => (from === undefined || each.name === from) && (kind === undefined || each.kind === kind),
  )
  if (found !== undefined) return found
  if (from === STORED) return { kind: 'stored', name: STORED, certainty: 0, evidence: 'told so' }
  if (from !== undefined) return { kind: kind ?? 'request', name: from, certainty: 0, evidence: 'told so' }
  throw new InterlinguaError('invalid-value', 'This is no request, response, stream or stored conversation', {
    path: '',
    expected: `a form that is known: ${FORMS.join(', ')}`,
    hint: 'Say what it is with --from and --kind.',
  })
}

/** Reads a value that was JSON. */
export function readDocument(value: unknown, told: Told = {}): Document {
  const detected = recognise(value, told)
  const { name, kind } = detected
  if (!isDialect(name)) return { content: readStored(value), detected, losses: [] }
  if (kind === 'response') {
    const { value: response, losses } = dialects[name].decodeResponse(value)
    return { content: { kind, response }, detected, losses }
  }
  const { value: request, losses } = dialects[name].decodeRequest(value)
  return { content: { kind: 'request', request }, detected, losses }
}

export function isDialect(name: string): name is DialectName {
  return Object.hasOwn(dialects, name)
}

type StoredReaders = { readonly [kind in StoredKind]: (value: unknown) => Content }

const ofMessages = (messages: Iterable<Message>): Content => ({
  kind: 'messages',
  messages: Messages.from(messages),
})

const stored: StoredReaders = {
  request: (value) => ({ kind: 'request', request: fromJson(value, 'request') }),
  response: (value) => ({ kind: 'response', response: fromJson(value, 'response') }),
  messages: (value) => ofMessages(fromJson(value)),
  message: (value) => ofMessages([fromJson(value, 'message')]),
  store: (value) => ofMessages(fromJson(value, 'store').toMessages()),
}

function readStored(value: unknown): Content {
  const kind = (Object.keys(stored) as StoredKind[]).find(
    (key) => isObject(value) && Object.hasOwn(value, key),
  )
  return stored[kind ?? 'messages'](value)
}

/** The conversation in a document. */
export function messagesOf(content: Content): readonly Message[] {
  if (content.kind === 'response') return content.response.candidates
  return [...(content.kind === 'request' ? content.request : content).messages]
}
