// @ts-check
// Changes that break the rules that hold for every dialect, and those of openai-chat.
import { mutationsOf } from './mutation.js'

/** @type {readonly import('./mutation.js').RuleMutation[]} */
export const dialectMutations = [
  ...mutationsOf('dialects/openai-chat/tool-calls.ts', 'dialects/openai-chat/rules.test.ts', [
    ['r27 r37', 'function: { name, arguments: text }', 'function: { name, args: text }'],
  ]),
  ...mutationsOf('canonical/build/call-arguments.ts', 'dialects/openai-chat/rules.test.ts', [
    ['C2', 'isEqualJson(parseArguments(raw).arguments, value)', 'value !== undefined'],
  ]),
  ...mutationsOf('dialects/openai-chat/tool-results.ts', 'dialects/openai-chat/rules.test.ts', [
    ['r38 r172', "{ role: 'tool', tool_call_id: id,", "{ role: 'tool', call_id: id,"],
  ]),
  ...mutationsOf('dialects/shared/message-per-tool-result.ts', 'dialects/openai-chat/rules.test.ts', [
    [
      'r209 C1',
      'encoded.push(encodeResult(part, partPath, context))',
      'encoded.splice(0, 1, encodeResult(part, partPath, context))',
    ],
  ]),
  ...mutationsOf('dialects/openai-chat/messages.ts', 'dialects/openai-chat/rules.test.ts', [
    [
      'r39 r193',
      "if (role !== 'developer' || getFlavor(context.options).supportsDeveloperRole !== false) return role",
      "if (role !== 'developer') return role",
    ],
  ]),
  ...mutationsOf('dialects/openai-chat/parts.ts', 'dialects/openai-chat/rules.test.ts', [
    [
      'r109',
      'if (isListForm || !parts.every(isTextOnly)',
      'if (isRequest || isListForm || !parts.every(isTextOnly)',
    ],
  ]),
  ...mutationsOf('dialects/openai-chat/media.ts', 'dialects/openai-chat/rules.test.ts', [
    ['r26 r207', 'return writeImage(part, toDataUrl(source))', 'return writeImage(part, source.data)'],
    [
      'r115',
      'input_audio: { data: source.data, format }',
      'input_audio: { data: toDataUrl(source), format }',
    ],
    ['r208 C24', '{ filename: name }', '{ file_name: name }'],
    [
      'C26',
      "if (source.kind === 'url')\n    return type === 'image'",
      "if (source.kind === 'id' && type === 'image') return writeImage(source.id, detail)\n  if (source.kind === 'url')\n    return type === 'image'",
    ],
  ]),
  ...mutationsOf('dialects/openai-chat/tools.ts', 'dialects/openai-chat/rules.test.ts', [
    [
      'r40',
      '{ ...declared, parameters: schema, ...strictFields }',
      '{ ...declared, input_schema: schema, ...strictFields }',
    ],
  ]),
  ...mutationsOf('dialects/shared/chat-response.ts', 'dialects/openai-chat/rules.test.ts', [
    ['r41', "isObject(wire['message']) ? wire['message'] : {}", "wire['message'] as JsonObject"],
  ]),
  ...mutationsOf('dialects/shared/response-metadata.ts', 'dialects/finish-reasons.test.ts', [
    ['r60 C17', "table.fromWire(raw) ?? 'other'", "table.fromWire(raw) ?? 'stop'"],
  ]),
  ...mutationsOf('dialects/openai-chat/messages.ts', 'dialects/dialect-laws.test.ts', [
    [
      'r8 r205',
      'name === undefined ? made : { ...made, name }',
      'name === undefined ? { ...made, id: message.id } : { ...made, name }',
    ],
    [
      'r20 C30',
      'const written = applyResidue(withReasoning, message, DIALECT_SLOT)',
      "const written = applyResidue({ ...withReasoning, ...message.extra?.['unknown'] }, message, DIALECT_SLOT)",
    ],
  ]),
  ...mutationsOf('dialects/openai-chat/request.ts', 'dialects/dialect-laws.test.ts', [
    [
      'r63',
      'context.options.model ?? request.model\n  const stop',
      'request.model ?? context.options.model\n  const stop',
    ],
  ]),
  ...mutationsOf('dialects/shared/turn-writer.ts', 'dialects/dialect-laws.test.ts', [
    [
      'r34 C6',
      'const isStart = this.#open.length === 0 && !this.#hasWritten',
      'const isStart = this.#open.length >= 0',
    ],
  ]),
  ...mutationsOf('dialects/anthropic/request.ts', 'dialects/dialect-laws.test.ts', [
    [
      'r70 r213 r216',
      '[...decodeSystem(system, options), ...turns]',
      '[...decodeSystem(system, options).slice(1), ...turns]',
    ],
  ]),
  ...mutationsOf('dialects/openai-chat/media.ts', 'dialects/dialect-laws.test.ts', [
    ['r68', 'return writeImage(part, toDataUrl(source))', 'return writeImage(part, source.data)'],
  ]),
  ...mutationsOf('dialects/engine/content-fallback.ts', 'dialects/dialect-laws.test.ts', [
    ['C28', "if (action === 'reject' || action === 'drop') {", "if (action === 'reject') {"],
  ]),
  ...mutationsOf('dialects/shared/opaque-content.ts', 'dialects/every-dialect.test.ts', [
    [
      'r35',
      "only?.type === 'opaque' && only.dialect === dialect",
      "only?.type === 'opaque' && only.dialect !== ''",
    ],
  ]),
  ...mutationsOf('dialects/shared/message-per-tool-result.ts', 'dialects/every-dialect.test.ts', [
    [
      'C13',
      "context.report('empty-message', path)\n  return []",
      "return [{ role: 'user', content: path === undefined ? '' : '-' }]",
    ],
  ]),
  ...mutationsOf('dialects/openai-chat/tool-results.ts', 'dialects/every-dialect.test.ts', [
    ['C20', 'isError ? JSON.stringify({ error: content }) : content', 'content'],
  ]),
  ...mutationsOf('dialects/shared/message-per-tool-result.ts', 'dialects/every-dialect.test.ts', [
    [
      'C1',
      'encoded.push(encodeResult(part, partPath, context))',
      'encoded.splice(0, 1, encodeResult(part, partPath, context))',
    ],
  ]),
  ...mutationsOf('dialects/anthropic/reasoning.ts', 'dialects/every-dialect.test.ts', [
    [
      'C10',
      'const isOwn = signature?.vendor === DIALECT_VENDOR\n  if (isOwn',
      'const isOwn = signature !== undefined\n  if (isOwn',
    ],
  ]),
  ...mutationsOf('dialects/shared/block-turn-writer.ts', 'dialects/every-dialect.test.ts', [
    [
      'C12',
      "first?.role === next.role && next.hints['startsWireMessage'] !== true",
      "first?.role === next.role && next.hints['startsWireMessage'] === true",
    ],
  ]),
  ...mutationsOf('dialects/shared/google-common.ts', 'dialects/every-dialect.test.ts', [
    [
      'C16',
      'const outputTokens = (answerTokens ?? 0) + (reasoningTokens ?? 0)',
      'const outputTokens = answerTokens ?? 0',
    ],
  ]),
  ...mutationsOf('canonical/stream/copy-usage-to-messages.ts', 'dialects/message-usage.test.ts', [
    ['r62 C16', 'freezeOwned({ ...message, usage })', 'message'],
  ]),
  ...mutationsOf('dialects/shared/block-turn-writer.ts', 'dialects/encode-single-pieces.test.ts', [
    [
      'r31',
      'const converted = options.convertLaterSystem(fragment, context)',
      "const converted = fragment.role === 'system' ? undefined : fragment",
    ],
  ]),
  ...mutationsOf('dialects/openai-chat/flavors.ts', 'dialects/openai-chat/flavors.test.ts', [
    [
      'r36',
      "supportsName: false,\n    supportsRefusals: false,\n    reasoningFields: ['reasoning'],\n    // console.groq.com",
      "supportsRefusals: false,\n    reasoningFields: ['reasoning'],\n    // console.groq.com",
    ],
  ]),
  ...mutationsOf('dialects/dialects.ts', 'dialects/dialect-laws.test.ts', [
    ['r204', 'ollama: ollamaDialect,', 'ollama: mistralDialect as never,'],
  ]),
  ...mutationsOf('dialects/engine/check-canonical-input.ts', 'dialects/every-dialect.test.ts', [
    [
      'r33',
      'return list.every((message) => isCanonicalValue(messageShape, message))',
      'return list.length > 0',
    ],
  ]),
  ...mutationsOf('dialects/gemini/reasoning.ts', 'dialects/handoff/all-pairs.test.ts', [
    [
      'r67',
      'part.signature?.vendor === DIALECT_VENDOR && isSignatureValid(part)',
      'part.signature !== undefined && isSignatureValid(part)',
    ],
  ]),
]
