import type { Message } from '../../canonical/model/message.ts'
import { geminiDialect } from '../../dialects/gemini/index.ts'
import {
  isObject,
  itemsOf,
  type Json,
  type JsonObject,
  omitUndefined,
  readStringOrEmpty,
} from '../../wire/json.ts'
import { decodeMessages, omitKeys, readText, readTime, withFields } from '../transcripts/session-builder.ts'
import { CALL_FIELDS, MESSAGE_FIELDS, NAME, USAGE_FIELDS } from './constants.ts'

/** Decodes a message record with the codec of Gemini: an answer is followed by the results of its calls. */
export function decodeRecord(
  record: JsonObject,
  id: string,
  answeredElsewhere: ReadonlySet<string>,
): readonly Message[] {
  const isAnswer = record['type'] === 'gemini'
  const calls = itemsOf(record['toolCalls']).filter((call): call is JsonObject => isObject(call))
  const parts = toParts(record['content'])
  const contents: JsonObject[] = isAnswer
    ? [
        {
          role: 'model',
          parts: [...toThoughts(record['thoughts'], parts), ...parts, ...toCalls(calls, parts)],
        },
        ...toResults(calls, answeredElsewhere),
      ]
    : [{ role: 'user', parts }]
  const filled = contents.filter(({ parts: list }) => itemsOf(list).length > 0)
  if (filled.length === 0) return []
  const messages = decodeMessages(geminiDialect, { contents: filled })
  const usage = readUsage(record['tokens'])
  const model = readText(record['model'])
  const origin = { dialect: 'gemini', ...omitUndefined({ model }) }
  const all = messages.map((message) =>
    message.role === 'assistant' ? { origin, ...omitUndefined({ usage }), ...message } : message,
  )
  return withFields(all, id, readTime(record['timestamp']), NAME, toNote(record, calls))
}

/** Returns what a record has besides the conversation. */
function toNote(record: JsonObject, calls: readonly JsonObject[]): JsonObject {
  const notes = calls
    .map((call) => omitKeys(call, CALL_FIELDS))
    .filter((note) => Object.keys(note).length > 0)
  const thoughts = itemsOf(record['thoughts']).map((thought) =>
    isObject(thought) ? omitKeys(thought, ['subject', 'description']) : thought,
  )
  return {
    ...omitKeys(record, [...MESSAGE_FIELDS, 'toolCalls']),
    ...(notes.length > 0 && { toolCalls: notes }),
    ...(thoughts.length > 0 && { thoughts }),
  }
}

/** Returns content as a list of parts: it may be a text, a part, or a list of both. */
function toParts(content: Json | undefined): readonly JsonObject[] {
  const list = Array.isArray(content) ? (content as readonly Json[]) : [content ?? '']
  return list.flatMap((item): readonly JsonObject[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ text: item }]
    return isObject(item) ? [item] : []
  })
}

/** Returns the thoughts of a record, unless its content contains them. */
function toThoughts(thoughts: Json | undefined, parts: readonly JsonObject[]): readonly JsonObject[] {
  if (parts.some((part) => part['thought'] === true)) return []
  return itemsOf(thoughts).flatMap((thought): readonly JsonObject[] => {
    if (!isObject(thought)) return []
    const [subject, description] = [thought['subject'], thought['description']].map((each) =>
      readStringOrEmpty(each),
    )
    const text = [subject === '' ? '' : `**${subject}**`, description]
      .filter((each) => each !== '')
      .join('\n')
    return text === '' ? [] : [{ thought: true, text }]
  })
}

/** Returns the calls of a record, without those that its content contains. */
function toCalls(calls: readonly JsonObject[], parts: readonly JsonObject[]): readonly JsonObject[] {
  const included = new Set(
    parts.flatMap(({ functionCall }) => (isObject(functionCall) ? [functionCall['id']] : [])),
  )
  return calls.flatMap(({ id, name, args }): readonly JsonObject[] =>
    included.has(id)
      ? []
      : [
          {
            functionCall: {
              ...omitUndefined({ id, name }),
              args: isObject(args) ? args : {},
            },
          },
        ],
  )
}

/** Returns the results of calls as one content, without those that a later message of the user contains. */
function toResults(
  calls: readonly JsonObject[],
  answeredElsewhere: ReadonlySet<string>,
): readonly JsonObject[] {
  const parts = calls.flatMap(({ id, name, result }): readonly JsonObject[] => {
    if (answeredElsewhere.has(readStringOrEmpty(id))) return []
    const given = toParts(result)
    if (given.length === 0 || given.some((part) => isObject(part['functionResponse']))) return given
    // A result that is only text or media answers the call, too.
    const output = given.map((part) => readStringOrEmpty(part['text'])).join('\n')
    return [{ functionResponse: { ...omitUndefined({ id, name }), response: { output } } }]
  })
  return parts.length === 0 ? [] : [{ role: 'user', parts }]
}

/** Returns the ids of the calls that the messages of the user answer. */
export function listAnsweredCalls(record: JsonObject): readonly string[] {
  if (record['type'] !== 'user') return []
  return toParts(record['content']).flatMap(({ functionResponse: response }) =>
    isObject(response) && typeof response['id'] === 'string' ? [response['id']] : [],
  )
}

function readUsage(tokens: Json | undefined): ReturnType<typeof geminiDialect.decodeUsage> {
  if (!isObject(tokens)) return undefined
  const wire = USAGE_FIELDS.flatMap(([field, wireField]) => {
    const value = tokens[field]
    return typeof value === 'number' && value > 0 ? [[wireField, value] as const] : []
  })
  return wire.length === 0 ? undefined : geminiDialect.decodeUsage(Object.fromEntries(wire))
}
