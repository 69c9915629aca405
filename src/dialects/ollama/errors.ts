import { defaultKindRows } from '../engine/default-errors.ts'
import { type ErrorCodec, createErrorCodec } from '../engine/error-codec.ts'

// The server sends only a text, so status and phrases determine the kind. The encoder adds a `type`, which
// clients ignore.
export const errorCodec: ErrorCodec = createErrorCodec({
  dialect: 'ollama',
  idHeader: 'x-request-id',
  kindRows: defaultKindRows,
  codeKinds: [],
  phraseKinds: [
    ['context length', 'context-overflow'],
    ['exceeds the available context', 'context-overflow'],
    ["' not found", 'not-found'], // a model
    ['does not support', 'invalid-request'], // tools, thinking, chat
    ['invalid think value', 'invalid-request'],
    ['server busy', 'overloaded'],
    ['unauthorized', 'authentication'],
  ],
  isEvent: ({ error }) => Boolean(error),
  writeBody: ({ message, type }) => ({ error: message, type }),
})
