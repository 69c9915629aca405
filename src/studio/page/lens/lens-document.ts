import { Messages } from '../../../canonical/collections/messages.ts'
import type { Loss } from '../../../canonical/model/loss.ts'
import type { Message } from '../../../canonical/model/message.ts'
import type { ChatRequest } from '../../../canonical/model/request.ts'
import type { ChatResponse } from '../../../canonical/model/response.ts'
import { accumulate, StreamError } from '../../../canonical/stream/accumulate.ts'
import { fromJson, type StoredKind } from '../../../canonical/stored/stored-form.ts'
import { detect, type Detection } from '../../../dialects/engine/detect.ts'
import { dialects } from '../../../dialects/dialects.ts'
import type { DialectName } from '../../../dialects/engine/dialect.ts'
import type { InterlinguaError } from '../../../errors.ts'
import { detectConversationFormat } from '../../../formats/detect-conversation-format.ts'
import { fromMessages } from '../../../formats/from-messages.ts'
import { isObject, type Json } from '../../../wire/json.ts'
import { isDialectName } from './lens-targets.ts'

/** The canonical content of an input. */
export type LensContent =
  | { readonly kind: 'request'; readonly request: ChatRequest }
  | { readonly kind: 'response'; readonly response: ChatResponse }

/** An input that was recognized and decoded. */
export interface LensDocument {
  readonly content: LensContent
  /** The most likely format first. */
  readonly detections: readonly Detection[]
  /** The losses of reading the input. */
  readonly losses: readonly Loss[]
  /** The body, with which the bodies of the other formats are compared. */
  readonly body?: Json
  /** The text of a streamed response. */
  readonly stream?: string
  /** The error that ended a stream; the content is what arrived before it. */
  readonly streamError?: InterlinguaError
}

/** Returns the messages of a document. */
export function listLensMessages(content: LensContent): readonly Message[] {
  return content.kind === 'request' ? [...content.request.messages] : content.response.candidates
}

/** Below this certainty, an object is not read as a body: most objects have a field of some format. */
const MIN_CERTAINTY = 0.3

/** Returns the formats that a value may be a body of, the most likely first. */
export function detectBody(value: Json): readonly Detection[] {
  if (!isObject(value)) return []
  return detect(value).filter(
    ({ kind, name, certainty }) =>
      certainty >= MIN_CERTAINTY && kind !== 'stream' && (isDialectName(name) || kind === 'stored'),
  )
}

/** Returns true if a value is a body, a stored conversation or a list of messages. */
export function isConversation(value: Json): boolean {
  return detectBody(value).length > 0 || detectConversationFormat(value)?.contains === 'messages'
}

/** Decodes a body, a stored conversation or a list of messages; undefined for other values. */
export function readDocument(value: Json, from?: string): LensDocument | undefined {
  const detected = detectBody(value)
  const library = detectConversationFormat(value)
  const isLibrary =
    library !== undefined && library.format !== 'interlingua' && !isDialectName(library.format)
  const detections = isLibrary
    ? [
        { kind: 'stored' as const, name: library.format, certainty: 1, evidence: 'messages of a library' },
        ...detected,
      ]
    : detected
  const chosen = detections.find(({ name }) => name === from) ?? detections[0]
  const sorted = chosen === undefined ? [] : [chosen, ...detections.filter((each) => each !== chosen)]
  if (chosen !== undefined && isDialectName(chosen.name)) {
    const { content, losses } = decodeBody(value, chosen.name, chosen.kind)
    return { content, losses, detections: sorted, body: value }
  }
  if (chosen?.name === 'interlingua')
    return { content: readStored(value), losses: [], detections: sorted, body: value }
  if (library?.contains !== 'messages') return undefined
  const { value: messages, losses, format } = fromMessages(value)
  const found = { kind: 'stored' as const, name: format, certainty: 1, evidence: 'a list of messages' }
  return {
    content: { kind: 'request', request: { messages } },
    losses,
    detections: sorted.length === 0 ? [found] : sorted,
    body: value,
  }
}

function decodeBody(
  body: Json,
  name: DialectName,
  kind: Detection['kind'],
): { readonly content: LensContent; readonly losses: readonly Loss[] } {
  if (kind === 'response') {
    const { value: response, losses } = dialects[name].decodeResponse(body)
    return { content: { kind: 'response', response }, losses }
  }
  const { value: request, losses } = dialects[name].decodeRequest(body)
  return { content: { kind: 'request', request }, losses }
}

const toRequest = (messages: Iterable<Message>): LensContent => ({
  kind: 'request',
  request: { messages: Messages.from(messages).toArray() },
})

const storedReaders: { readonly [kind in StoredKind]: (value: unknown) => LensContent } = {
  request: (value) => ({ kind: 'request', request: fromJson(value, 'request') }),
  response: (value) => ({ kind: 'response', response: fromJson(value, 'response') }),
  messages: (value) => toRequest(fromJson(value)),
  message: (value) => toRequest([fromJson(value, 'message')]),
  store: (value) => toRequest(fromJson(value, 'store').toMessages()),
}

function readStored(value: Json): LensContent {
  const kinds = Object.keys(storedReaders) as StoredKind[]
  const kind = kinds.find((key) => isObject(value) && Object.hasOwn(value, key))
  return storedReaders[kind ?? 'messages'](value)
}

/** Decodes the text of a streamed response. If the stream fails, the content is what arrived before. */
export async function readStream(
  text: string,
  name: DialectName,
  detections: readonly Detection[],
): Promise<LensDocument> {
  const document = { detections, losses: [], stream: text }
  const events = dialects[name].decodeStream(yieldText(text))
  try {
    return { ...document, content: { kind: 'response', response: await accumulate(events) } }
  } catch (error) {
    if (!(error instanceof StreamError) || error.partial.candidates.length === 0) throw error
    return { ...document, content: { kind: 'response', response: error.partial }, streamError: error }
  }
}

async function* yieldText(text: string): AsyncGenerator<string, void, undefined> {
  yield text
}
