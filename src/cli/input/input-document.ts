import { Messages } from '../../canonical/collections/messages.ts'
import type { Message } from '../../canonical/model/message.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import type { ChatResponse } from '../../canonical/model/response.ts'
import type { Loss } from '../../canonical/model/loss.ts'
import { fromJson, type StoredKind } from '../../canonical/stored/stored-form.ts'
import type { Detection } from '../../dialects/engine/detect.ts'
import { knownDialects } from '../registry.ts'
import type { ImportedConversation } from '../../formats/engine/conversation-format.ts'
import { freezeParsed, isPlainJson } from '../../wire/frozen-json.ts'
import { isObject } from '../../wire/json.ts'
import { type InputFormatOptions, isDialectName } from './input-format-names.ts'
import { readLibraryMessages } from './library-messages.ts'
import { readTranscript } from './transcripts.ts'
import type { Transcript } from '../../formats/transcripts/transcript.ts'
import type { RecognizedBody } from './wrap-message-list.ts'
import { recognizeBody } from './recognize-body.ts'
import type { ChatEvent } from '../../canonical/model/event.ts'
import type { DialectName } from '../../dialects/engine/dialect.ts'
import { InterlinguaError, ProviderError } from '../../errors.ts'
import type { ByteChunks } from './bytes-to-text.ts'

export type DocumentContent =
  | { readonly kind: 'request'; readonly request: ChatRequest }
  | { readonly kind: 'response'; readonly response: ChatResponse }
  | { readonly kind: 'messages'; readonly messages: Messages }

export interface InputDocument {
  readonly content: DocumentContent
  readonly detected: Detection
  readonly losses: readonly Loss[]
  /** All sessions and branches of a transcript, of which the content is the current branch. */
  readonly transcript?: Transcript
  /** The conversation with all branches, for formats whose files contain conversations. */
  readonly conversation?: ImportedConversation
}

/** Decodes a value that was just parsed from JSON text, which is frozen. */
export function decodeDocument(parsed: unknown, formatOptions: InputFormatOptions = {}): InputDocument {
  // Each of the readers would copy a value that is not frozen. They report what is nested too deeply.
  const value = isObject(parsed) && isPlainJson(parsed) ? freezeParsed(parsed) : parsed
  const transcribed = readTranscript(value, formatOptions)
  if (transcribed !== undefined) {
    const { messages: branch, name: _name, ...fields } = transcribed
    return { ...fields, content: toMessagesContent(branch) }
  }
  const read = readLibraryMessages(value, formatOptions)
  if (read === undefined) return decodeBody(recognizeBody(value, formatOptions))
  const { detected, losses, conversation, messages } = read
  if (conversation === undefined) return { content: toMessagesContent(messages), detected, losses }
  return { content: { kind: 'request', request: conversation.value }, detected, losses, conversation }
}

/** Decodes a body whose format is known. */
export function decodeBody({ body, detected }: RecognizedBody): InputDocument {
  const { name, kind } = detected
  if (!isDialectName(name)) return { content: readStored(body), detected, losses: [] }
  if (kind === 'response') {
    const { value: response, losses } = knownDialects[name].decodeResponse(body)
    return { content: { kind, response }, detected, losses }
  }
  const { value: request, losses } = knownDialects[name].decodeRequest(body)
  return { content: { kind: 'request', request }, detected, losses }
}

function toMessagesContent(messages: Iterable<Message>): DocumentContent {
  return { kind: 'messages', messages: Messages.from(messages) }
}

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

export function getDocumentMessages(content: DocumentContent): readonly Message[] {
  if (content.kind === 'response') return content.response.candidates
  return [...(content.kind === 'request' ? content.request : content).messages]
}

/**
 * Decodes a stream. Throws if it fails without any event of the dialect: decoders preserve unknown events as
 * opaque ones, so any input would become an incomplete response. Until the first known event, nothing is yielded.
 */
export async function* decodeKnownStream(
  name: DialectName,
  bytes: ByteChunks,
  signal?: AbortSignal,
): AsyncGenerator<ChatEvent, void, undefined> {
  const unknown: ChatEvent[] = []
  let isKnown = false
  for await (const event of knownDialects[name].decodeStream(bytes, signal === undefined ? {} : { signal })) {
    if (!isKnown && event.type === 'opaque') {
      unknown.push(event)
      continue
    }
    if (!isKnown && event.type === 'error' && !(event.error instanceof ProviderError))
      throw isCut(event.error) ? notAStreamError(name) : event.error
    if (!isKnown) yield* unknown
    isKnown = true
    yield event
  }
}

function isCut(error: unknown): boolean {
  return error instanceof InterlinguaError && error.code === 'stream-cut'
}

function notAStreamError(name: DialectName): InterlinguaError {
  const found = 'no event of that format'
  return new InterlinguaError('invalid-stream', `The input is not a stream of ${name}: found ${found}`, {
    found,
    expected: `a streamed response of ${name}`,
    hint: 'Check the program or file that the input comes from, and --from.',
  })
}
