import { detect, type Detection } from '../../../dialects/engine/detect.ts'
import { InterlinguaError } from '../../../errors.ts'
import { detectConversationFormat } from '../../../formats/detect-conversation-format.ts'
import { fromConversations } from '../../../formats/from-conversations.ts'
import type { ConversationFormatName } from '../../../formats/conversation-formats.ts'
import { fromTranscript } from '../../../formats/from-transcript.ts'
import type { TranscriptFormatName } from '../../../formats/transcript-formats.ts'
import { currentBranch } from '../../../formats/transcripts/transcript.ts'
import type { TranscriptFile } from '../../../formats/transcripts/transcript.ts'
import { isObject, type Json, tryParseJson } from '../../../wire/json.ts'
import { type HarCall, readHar } from './read-har.ts'
import { type EmbeddedValue, findEmbedded, listJsonInText } from './json-in-text.ts'
import { detectBody, isConversation, type LensDocument, readDocument, readStream } from './lens-document.ts'
import { createSyntaxError, readLenientJson } from './lenient-json.ts'
import { isDialectName } from './lens-targets.ts'

/** One of the conversations that an input contains. */
interface InputChoice {
  readonly label: string
  /** Further facts, such as the number of messages. */
  readonly detail?: string
  readonly read: () => LensDocument | Promise<LensDocument>
}

/** The kind of an input, and the conversations that it contains. */
export interface LensInput {
  /** The kind of the input, for people. */
  readonly title: string
  readonly choices: readonly InputChoice[]
  /** Content that was not read: invalid lines, and conversations beyond the limit. */
  readonly issues?: readonly string[]
}

/** The text of an input, or the files of an agent program that writes several. */
export type InputText = string | { readonly files: readonly TranscriptFile[] }

/** The most choices that are listed. */
const MAX_CHOICES = 500

/** Fields with which server-sent events can start. */
const SSE_FIELD = /^\s*(data|event|id|retry)?:/

/**
 * Recognizes an input: a body, stored messages, a stream, a HAR file, a session file, a file of conversations, or text that
 * contains one of these. `from` is the format that the reader selected among the likely ones.
 */
export function readInput(input: InputText, from?: string): LensInput {
  const text = typeof input === 'string' ? input.replace(/^\uFEFF/, '') : ''
  const body = typeof input === 'string' ? tryParseJson(text) : undefined
  const har = readHar(body)
  if (har !== undefined) return listHarCalls(har.calls, har.entryCount)
  if (typeof input === 'string' && SSE_FIELD.test(text)) return listStream(text, from)
  const parsed = typeof input === 'string' ? (body ?? text) : input
  const format = detectConversationFormat(parsed)
  if (format?.contains === 'transcript') return listSessions(parsed, format.format as TranscriptFormatName)
  if (format?.contains === 'conversations' && detectBody(body ?? null).length === 0)
    return listConversations(parsed, format.format as ConversationFormatName)
  const streams = detectStreams(text, body)
  if (streams.length > 0 && !(Array.isArray(body) && format !== undefined)) return listStream(text, from)
  const lines = body === undefined ? readLines(text, format?.format) : undefined
  const value = lines ?? body
  const document = value === undefined ? undefined : readDocument(value, from)
  if (document === undefined) return listEmbedded(body, text)
  return { title: describe(document), choices: [toChoice(document)] }
}

/** Lists choices up to the limit. */
function limitChoices({ title, choices, issues = [] }: LensInput): LensInput {
  if (choices.length <= MAX_CHOICES) return { title, choices, issues }
  const cut = `Only the first ${MAX_CHOICES} of ${choices.length} conversations are listed.`
  return { title, choices: choices.slice(0, MAX_CHOICES), issues: [cut, ...issues] }
}

/** Detects a streamed response: lines of JSON, a list of chunks, or one event. */
function detectStreams(text: string, body: Json | undefined): readonly Detection[] {
  const found = detect(text)
  const first = isObject(body) ? found[0] : found.find(({ kind }) => kind === 'stream')
  return first?.kind === 'stream' ? found.filter(({ kind }) => kind === 'stream') : []
}

function listStream(text: string, from: string | undefined): LensInput {
  const detections = detect(text)
    .filter(({ name }) => isDialectName(name))
    .map((each) => ({ ...each, kind: 'stream' as const }))
  const chosen = detections.find(({ name }) => name === from) ?? detections[0]
  if (chosen === undefined || !isDialectName(chosen.name))
    throw new InterlinguaError('invalid-stream', 'The input is a stream of an unknown format.', {
      path: '',
      found: 'events that no format has',
      expected: 'the streamed response of a model',
      hint: 'Paste the body of a streamed response, with its first event.',
    })
  const { name } = chosen
  const sorted = [chosen, ...detections.filter((each) => each !== chosen)]
  return { title: 'stream', choices: [{ label: 'stream', read: () => readStream(text, name, sorted) }] }
}

function listHarCalls(calls: readonly HarCall[], entryCount: number): LensInput {
  if (calls.length === 0)
    throw new InterlinguaError('invalid-value', 'The HAR file contains no call of a model.', {
      path: '/log/entries',
      found: `${entryCount} other requests`,
      expected: 'a request to the API of a model',
      hint: 'Record the network traffic while the model is called, with the bodies of the responses.',
    })
  const choices = calls.flatMap(({ method, address, status, model, durationMs, request, response }) => {
    const facts = [model, `status ${status}`, durationMs !== undefined && `${durationMs} ms`]
    const detail = facts.filter((fact) => typeof fact === 'string').join(', ')
    const bodies = [
      ['request', request],
      ['response', response],
    ] as const
    return bodies
      .filter(([, text]) => text.trim() !== '')
      .map(([kind, text]): InputChoice => ({
        label: `${kind}: ${method} ${address}`,
        detail,
        read: async () => {
          const [choice] = readInput(text).choices
          if (choice === undefined) throw createSyntaxError(text)
          return choice.read()
        },
      }))
  })
  const title = `HAR file, ${calls.length} of ${entryCount} requests call a model`
  return limitChoices({ title, choices })
}

function listSessions(input: unknown, format: TranscriptFormatName): LensInput {
  const { sessions, issues } = fromTranscript(input, { from: format })
  const choices = sessions.flatMap((session) =>
    session.sections.map((section, index): InputChoice => {
      const messages = currentBranch(session, section.name)
      const name = session.title ?? session.id
      return {
        label: index === 0 ? name : `${name}: sub-agent ${section.name}`,
        detail: `${messages.length} of ${section.messages.length} messages on the current branch`,
        read: () => ({
          content: { kind: 'request', request: { messages } },
          losses: [],
          detections: [
            { kind: 'stored', name: format, certainty: 1, evidence: 'records of an agent program' },
          ],
        }),
      }
    }),
  )
  return limitChoices({
    title: `session file of ${format}`,
    choices,
    issues: issues.map(
      ({ file, line, message }) => `${file === undefined ? '' : `${file}, `}line ${line}: ${message}`,
    ),
  })
}

function listConversations(input: unknown, format: ConversationFormatName): LensInput {
  const conversations = fromConversations(input, { from: format })
  const choices = conversations.map(({ value, losses, title }, index): InputChoice => ({
    label: title ?? `conversation ${index + 1}`,
    detail: `${[...value.messages].length} messages`,
    read: () => ({
      content: { kind: 'request', request: value },
      losses,
      detections: [{ kind: 'stored', name: format, certainty: 1, evidence: 'records of conversations' }],
    }),
  }))
  return limitChoices({ title: `file of ${conversations.length} conversations, ${format}`, choices })
}

/** Reads text that is not JSON but in a format of messages, if every line is one message. */
function readLines(text: string, format: string | undefined): Json[] | undefined {
  if (format === undefined) return undefined
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const values = lines.flatMap((line) => tryParseJson(line) ?? [])
  // Lines that are whole bodies are conversations of their own.
  const isList = values.length === lines.length && !values.every((value) => detectBody(value).length > 0)
  return isList ? values : undefined
}

/** Lists the conversations inside of a JSON value or of a text, such as a log. */
function listEmbedded(body: Json | undefined, text: string): LensInput {
  // A body with a syntax error contains messages that are valid JSON, but is to be repaired as a whole.
  if (body === undefined && readLenientJson(text) !== undefined) throw createSyntaxError(text)
  const values = body === undefined ? listJsonInText(text) : [{ place: '', value: body }]
  const found = values.flatMap((outer): readonly EmbeddedValue[] =>
    body === undefined && isConversation(outer.value)
      ? [outer]
      : findEmbedded(outer.value, isConversation).map(({ place, value }) => ({
          place: `${outer.place} ${place}`.trim(),
          value,
        })),
  )
  const choices = found.map(({ place, value }): InputChoice => ({
    label: place,
    detail: detectBody(value)[0]?.name ?? 'messages',
    read: () => {
      const document = readDocument(value)
      if (document === undefined) throw createUnknownInputError(value)
      return document
    },
  }))
  if (choices.length > 0)
    return limitChoices({
      title: body === undefined ? 'text with JSON' : 'JSON with a conversation',
      choices,
    })
  if (body === undefined && text.trim() !== '') throw createSyntaxError(text)
  throw createUnknownInputError(body)
}

function createUnknownInputError(value: unknown): InterlinguaError {
  return new InterlinguaError(
    'unknown-message-format',
    'The input contains no conversation that is recognized.',
    {
      path: '',
      found: isObject(value) ? `an object with ${listKeys(value)}` : 'other JSON',
      expected: 'a request, a response, messages, a stream, a HAR file or a session file',
      hint: 'Paste the whole body, with `messages`, `contents` or `input`.',
    },
  )
}

const listKeys = (value: object): string => {
  const keys = Object.keys(value).slice(0, 5)
  return keys.length === 0 ? 'no fields' : `the fields ${keys.join(', ')}`
}

function toChoice(document: LensDocument): InputChoice {
  return { label: describe(document), read: () => document }
}

function describe({ detections: [first], content }: LensDocument): string {
  return `${first?.kind === 'stored' || first === undefined ? 'messages' : content.kind} in the format ${first?.name ?? 'interlingua'}`
}
