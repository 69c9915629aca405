import {
  accumulate,
  detect,
  type DialectName,
  dialects,
  fromJson,
  groupLosses,
  type Json,
  type JsonObject,
  Messages,
  repair,
  sanitize,
  sanitizeRequest,
  summarizeLosses,
  toEvents,
  toJson,
  translateRequest,
  translateResponse,
  translateStream,
  validate,
} from 'interlingua'
import { fromMessages, toMessages, type WritableFormatName } from 'interlingua/formats'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { toUIMessageStream } from 'interlingua/formats/ai-sdk-ui'
import { parseMessages, parseRequest, parseResponse } from 'interlingua/parse'
import { fitSchema, stripStrictNulls, toJsonSchema, validateValue } from 'interlingua/schema'
import { findRequestProblems } from 'interlingua/testing/providers'
import { adapterOperations } from './adapter-operations.ts'
import { applicationOperations } from './application-operations.ts'
import { contentOperations } from './content-operations.ts'
import { fileOperations } from './file-operations.ts'
import { conversationRows } from '../formats/conversations/format-table.ts'
import { messageFormatCodecs } from '../../src/formats/message-formats.ts'
import {
  direct,
  drain,
  type InputKind,
  limits,
  onEvents,
  onMessages,
  onRequest,
  onResponse,
  onStream,
  type Operation,
} from './operation.ts'

const names = Object.keys(dialects) as DialectName[]
const formatNames = Object.keys(messageFormatCodecs) as WritableFormatName[]
/** The formats of message lists; the others are records of a file. */
const listFormatNames = formatNames.filter((name) => !conversationRows.some((row) => row.name === name))

const other = (dialect: DialectName, by: number): DialectName =>
  names[(names.indexOf(dialect) + by) % names.length] as DialectName
const translations = names.slice(1).map((_, at) => at + 1)

/** The public functions by the kind of their input. */
export const operations: { readonly [kind in InputKind]: readonly Operation[] } = {
  request: [
    direct('decodeRequest', (body, dialect) => dialects[dialect].decodeRequest(body, { limits })),
    direct('decodeRequest, not exact', (body, dialect) =>
      dialects[dialect].decodeRequest(body, { limits, exact: false }),
    ),
    onRequest('encodeRequest', (request, dialect) => dialects[dialect].encodeRequest(request)),
    onRequest('encodeRequestText', (request, dialect) =>
      dialects[dialect].encodeRequestText({ ...request, messages: Messages.from(request.messages) }),
    ),
    ...translations.map((by) =>
      direct(`translateRequest ${by}`, (body, from) => {
        const { losses } = translateRequest(body, { from, to: other(from, by), limits })
        summarizeLosses(losses)
        groupLosses(losses)
      }),
    ),
    ...translations.map((by) =>
      direct(`decodeRequest as dialect ${by}`, (body, dialect) =>
        dialects[other(dialect, by)].decodeRequest(body, { limits }),
      ),
    ),
    direct('detect', (body) => detect(body)),
    direct('findRequestProblems', (body, dialect) => findRequestProblems(dialect, body)),
    direct('parseRequest', (body) => parseRequest(body)),
    direct('fromMessages', (body) => fromMessages(body)),
    onRequest('sanitizeRequest', (request) => sanitizeRequest(request)),
    onRequest('toJson and fromJson', (request) => fromJson(toJson(request), 'request')),
    onMessages('validate', (messages) => validate(messages)),
    onMessages('repair', (messages) => repair(messages)),
    onMessages('sanitize', (messages) => sanitize(messages)),
    ...contentOperations,
    ...applicationOperations,
    ...adapterOperations,
    ...formatNames.map((to) => onMessages(`toMessages ${to}`, (messages) => toMessages(messages, { to }))),
    ...formatNames.map((to) => ({
      title: `fromMessages ${to}`,
      prepare: (input: Json, dialect: DialectName) => {
        const { value } = dialects[dialect].decodeRequest(input, { limits })
        const written = toMessages(value.messages, { to }).value
        return () => fromMessages(written, { from: to })
      },
    })),
  ],
  response: [
    direct('decodeResponse', (body, dialect) => dialects[dialect].decodeResponse(body, { limits })),
    direct('decodeError', (body, dialect) => dialects[dialect].decodeError(400, body)),
    onResponse('encodeResponse', (response, dialect) => dialects[dialect].encodeResponse(response)),
    ...translations.map((by) =>
      direct(`translateResponse ${by}`, (body, from) =>
        summarizeLosses(translateResponse(body, { from, to: other(from, by), limits }).losses),
      ),
    ),
    direct('detect', (body) => detect(body)),
    onResponse('parseResponse', (response) => parseResponse(response)),
    direct('fromMessages', (body) => fromMessages(body)),
    onResponse('toEvents and accumulate', (response) => accumulate(toEvents(response))),
    onResponse('toJson and fromJson', (response) => fromJson(toJson(response), 'response')),
    ...names.map((to) =>
      onResponse(`encodeStream ${to}`, (response) => drain(dialects[to].encodeStream(toEvents(response)))),
    ),
    onResponse('toUIMessageStream', (response) => drain(toUIMessageStream(toEvents(response)))),
    onResponse('toAgUi', (response) => drain(toAgUi(toEvents(response), { threadId: 't', runId: 'r' }))),
    onResponse('candidates in the next request', (response, dialect) =>
      dialects[dialect].encodeRequest({ model: 'm', messages: response.candidates }),
    ),
  ],
  stream: [
    onStream('decodeStream', (bytes, dialect) => drain(dialects[dialect].decodeStream(bytes(), { limits }))),
    onStream('decodeStream, not exact', (bytes, dialect) =>
      drain(dialects[dialect].decodeStream(bytes(), { limits, exact: false })),
    ),
    onEvents('accumulate', (events) => accumulate(events)),
    onEvents('encodeStream', (events, dialect) => drain(dialects[dialect].encodeStream(events))),
    ...translations.map((by) =>
      onStream(`translateStream ${by}`, (bytes, from) =>
        drain(translateStream(bytes(), { from, to: other(from, by), limits }).body),
      ),
    ),
    onEvents('toUIMessageStream', (events) => drain(toUIMessageStream(events))),
    onEvents('toAgUi', (events) => drain(toAgUi(events, { threadId: 't', runId: 'r' }))),
  ],
  file: fileOperations,
  messages: [
    direct('fromMessages', (input) => fromMessages(input)),
    direct('parseMessages', (input) => parseMessages(input)),
    direct('detect', (input) => detect(input)),
    ...listFormatNames.map((from) =>
      direct(`fromMessages ${from}`, (input) => fromMessages(input, { from })),
    ),
    ...formatNames.map((to) => ({
      title: `toMessages ${to}`,
      prepare: (input: Json) => {
        const { value } = fromMessages(input)
        return () => toMessages(value, { to })
      },
    })),
  ],
  schema: [
    direct('toJsonSchema', (input) => JSON.stringify(toJsonSchema((input as { schema: JsonObject }).schema))),
    direct('stripStrictNulls', (input) => {
      const { schema, value } = input as { schema: JsonObject; value: Json }
      return stripStrictNulls(value, schema)
    }),
    direct('validateValue', (input) => {
      const { schema, value } = input as { schema: JsonObject; value: Json }
      return validateValue(schema, value)
    }),
    ...(['openai-strict', 'anthropic-strict', 'gemini-openapi', 'gemini-json-schema', 'ollama'] as const).map(
      (target) =>
        direct(`fitSchema ${target}`, (input) => fitSchema((input as { schema: JsonObject }).schema, target)),
    ),
  ],
}
