import type { ChatRequest, JsonObject } from 'interlingua'
import { type DialectMistakes, encodeChanged, isRecord, omitKey, plainDialect } from './dialect-mistakes.ts'

/** Returns the request without its tool calls and results. */
function withoutCalls(request: ChatRequest): ChatRequest {
  if (!Array.isArray(request.messages)) return request
  const messages = (
    request.messages as ChatRequest['messages'] &
      readonly { readonly content: readonly { readonly type: string }[] }[]
  ).map((message) => ({
    ...message,
    content: message.content.filter(({ type }) => !type.startsWith('tool-')),
  }))
  return { ...request, messages } as unknown as ChatRequest
}

/** Residue that is lost when the value is stored as JSON. */
const bodiesByValue = new WeakMap<object, JsonObject>()

/** Mistakes in the translation of requests and responses. */
export const bodyMistakes: DialectMistakes = {
  'drops an unknown field of a request': {
    law: 'exact',
    mistake: {
      decodeRequest: (wire: unknown, options: object) =>
        plainDialect.decodeRequest(omitKey(wire, 'keep_alive'), options),
    },
    report: [
      'request "tools"',
      'path:       /keep_alive',
      'found:      nothing',
      'expected:   "5m"',
      'decodeRequest',
    ],
  },
  'drops an unknown field of a response': {
    law: 'exact',
    mistake: {
      decodeResponse: (wire: unknown, options: object) =>
        plainDialect.decodeResponse(omitKey(wire, 'invented'), options),
    },
    report: ['response "call" with unknown fields and blocks', '/invented', 'decodeResponse'],
  },
  'reverses the messages': {
    law: 'exact',
    mistake: {
      encodeRequest: (request: ChatRequest, options: object) => {
        const { value, losses } = plainDialect.encodeRequest(request, options)
        const messages = value['messages']
        return { value: { ...value, messages: Array.isArray(messages) ? messages.toReversed() : [] }, losses }
      },
    },
    report: ['request "tools"', /path: +\/messages\/0/, 'requestWriter'],
  },
  'keeps residue in memory only': {
    law: 'exact',
    mistake: {
      decodeRequest: (wire: JsonObject, options: object) => {
        const decoded = plainDialect.decodeRequest(omitKey(wire, 'keep_alive'), options)
        bodiesByValue.set(decoded.value, wire)
        return decoded
      },
      encodeRequest: (request: ChatRequest, options: object) => {
        const body = bodiesByValue.get(request)
        return body === undefined ? plainDialect.encodeRequest(request, options) : { value: body, losses: [] }
      },
    },
    report: ['after it was stored as JSON', '/keep_alive'],
  },
  'changes the body that it decodes': {
    law: 'pure',
    mistake: {
      decodeRequest: (wire: unknown, options: object) => {
        const decoded = plainDialect.decodeRequest(structuredClone(wire), options)
        if (isRecord(wire)) delete wire['keep_alive']
        return decoded
      },
    },
    report: ['decoding changes the request body that it reads', '/keep_alive', 'Copy before you change'],
  },
  'adds a random number': {
    law: 'pure',
    mistake: {
      encodeRequest: (request: ChatRequest, options: object) => {
        const { value, losses } = plainDialect.encodeRequest(request, options)
        return { value: { ...value, nonce: Math.random() }, losses }
      },
    },
    report: ['encoding the request twice gives two results', '/nonce'],
  },
  'sends a stored copy of the body': {
    law: 'edit-safe',
    mistake: {
      decodeRequest: (wire: JsonObject, options: object) => {
        const { value, losses } = plainDialect.decodeRequest(wire, options)
        return { value: { ...value, extra: { ...value.extra, copy: { wire } } }, losses }
      },
      encodeRequest: (request: ChatRequest, options: object) => {
        const copy = isRecord(request) ? request.extra?.['copy'] : undefined
        return copy === undefined
          ? plainDialect.encodeRequest(request, options)
          : { value: copy['wire'], losses: [] }
      },
    },
    report: ['the edit of the canonical request is neither sent nor reported', /path: +\/model/],
  },
  'omits tool calls without a report': {
    law: 'no-silent-loss',
    mistake: { encodeRequest: encodeChanged(withoutCalls) },
    report: [
      'a request with a text result',
      /path: +\/messages\/\d\/content\/0/,
      'context.report(rule, path)',
    ],
  },
  'omits a setting without a report': {
    law: 'no-silent-loss',
    mistake: { encodeRequest: encodeChanged(({ temperature: _temperature, ...request }) => request) },
    report: ['a request with temperature', 'path:       /temperature', 'expected:   0.5', 'settingsFor'],
  },
  'hides a text of the request from other dialects': {
    law: 'no-silent-loss',
    mistake: {
      decodeRequest: (wire: unknown, options: object) => {
        const { value, losses } = plainDialect.decodeRequest(wire, options)
        const messages = Array.from(value.messages, (message) =>
          message.role === 'system'
            ? { ...message, content: [], metadata: { text: message.content } }
            : message,
        )
        return { value: { ...value, messages }, losses }
      },
    },
    report: ['neither found after encoding and decoding it nor reported'],
  },
  'sends metadata of the application': {
    law: 'application-data',
    mistake: {
      encodeRequest: (request: ChatRequest, options: object) => {
        const { value, losses } = plainDialect.encodeRequest(request, options)
        const notes = Array.from(request.messages, ({ metadata = {} }) => metadata)
        return { value: { ...value, notes }, losses }
      },
    },
    report: ['data that belongs to the application', /path: +\/notes\/0/, 'private-7391'],
  },
  'writes a body without its model': {
    law: 'valid',
    mistake: {
      encodeRequest: (request: ChatRequest, options: object) => {
        const { value, losses } = plainDialect.encodeRequest(request, options)
        return { value: omitKey(value, 'model'), losses }
      },
    },
    report: ['your validator rejects the body', 'model', 'requestWriter'],
  },
}
