// @ts-check
// Changes that break the rules of anthropic and gemini.
import { mutationsOf } from './mutation.js'

/** @type {readonly import('./mutation.js').RuleMutation[]} */
export const turnDialectMutations = [
  ...mutationsOf('dialects/gemini/message-fragments.ts', 'dialects/gemini/rules.test.ts', [
    [
      'r42 r195',
      "role: first.role === 'assistant' ? 'model' : 'user', parts: restoredParts",
      "role: first.role === 'assistant' ? 'assistant' : 'user', parts: restoredParts",
    ],
    [
      'r43',
      'const parts = fragments.flatMap((fragment) => fragment.parts)\n  const form = fragments.length === 1 ? first',
      'const parts = first.parts\n  const form = fragments.length === 1 ? first',
    ],
  ]),
  ...mutationsOf('dialects/gemini/tool-calls.ts', 'dialects/gemini/rules.test.ts', [
    [
      'r44',
      'const functionCall = { id: call.id, name, args }',
      'const functionCall = { id: call.id, name, arguments: args }',
    ],
    ['r48', "const args = wire['args'] ?? {}", "const args = wire['args'] ?? { none: true }"],
  ]),
  ...mutationsOf('dialects/gemini/tool-results.ts', 'dialects/gemini/rules.test.ts', [
    ['r45', "name ??= 'function'", "name ??= 'tool'"],
    [
      'C27',
      'if (isError) return { error: isNoError(value) ? String(value) : value }',
      'if (isError) return { result: value }',
    ],
  ]),
  ...mutationsOf('dialects/gemini/tools.ts', 'dialects/gemini/rules.test.ts', [
    [
      'r46',
      'if (last !== undefined && isFunction(last) && isFunction(entry)) group?.push(entry)',
      'if (last !== undefined && !isFunction(entry)) group?.push(entry)',
    ],
  ]),
  ...mutationsOf('dialects/gemini/response-metadata.ts', 'dialects/gemini/bodies.test.ts', [
    ['r47', "answer: 'candidatesTokenCount'", "answer: 'candidateTokenCount'"],
    [
      'r51',
      'decodeFinishReason(finishReasonTable, raw, hasToolCalls)',
      'decodeFinishReason(finishReasonTable, raw, hasToolCalls && false)',
    ],
  ]),
  ...mutationsOf('dialects/gemini/response.ts', 'dialects/gemini/rules.test.ts', [
    [
      'r49',
      'candidates: isBlocked ? [createBlockedMessage(origin, options)] : messages',
      'candidates: isBlocked ? [createBlockedMessage(origin, options)] : messages.slice(1)',
    ],
  ]),
  ...mutationsOf('dialects/gemini/constants.ts', 'dialects/gemini/rules.test.ts', [
    ['r50', "['MAX_TOKENS', 'length'],", "['MAX_TOKENS', 'other'],"],
  ]),
  ...mutationsOf('dialects/gemini/response-metadata.ts', 'dialects/gemini/rules.test.ts', [
    [
      'r51',
      'decodeFinishReason(finishReasonTable, raw, hasToolCalls)',
      'decodeFinishReason(finishReasonTable, raw, hasToolCalls && false)',
    ],
  ]),
  ...mutationsOf('dialects/gemini/conversation-writer.ts', 'dialects/gemini/rules.test.ts', [
    ['r175', "role === previousRole && role !== 'user'", "role === previousRole && role === 'assistant'"],
  ]),
  ...mutationsOf('dialects/gemini/reasoning.ts', 'dialects/gemini/rules.test.ts', [
    [
      'r196',
      'hasValidSignature(part)))\n    return { text, thought: true }',
      'hasValidSignature(part)))\n    return { text }',
    ],
  ]),
  ...mutationsOf('dialects/shared/block-turn-writer.ts', 'dialects/anthropic/rules.test.ts', [
    [
      'r52 r197',
      'system === undefined ? undefined : { system }',
      'system === undefined ? undefined : { instructions: system }',
    ],
    [
      'r199',
      "first?.role === next.role && next.hints['startsWireMessage'] !== true",
      "first?.role === next.role && next.hints['startsWireMessage'] === true",
    ],
  ]),
  ...mutationsOf('dialects/anthropic/message-fragments.ts', 'dialects/anthropic/rules.test.ts', [
    [
      'r53',
      "const isString = hints['contentForm'] === 'string'",
      "const isString = hints['contentForm'] !== 'empty-list'",
    ],
  ]),
  ...mutationsOf('dialects/anthropic/media.ts', 'dialects/anthropic/rules.test.ts', [
    ['r54', "return { type: 'url', url: source.url }", "return { type: 'url', uri: source.url }"],
    [
      'r210',
      "{ type: 'base64', media_type: mediaType, data: source.data }",
      "{ type: 'base64', mime_type: mediaType, data: source.data }",
    ],
    ['C26', "{ type: 'file', file_id: source.id }", "{ type: 'file', id: source.id }"],
  ]),
  ...mutationsOf('dialects/anthropic/tool-results.ts', 'dialects/anthropic/rules.test.ts', [
    ['r55 r174 r212 C1', 'tool_use_id: encodeAnsweredId(', 'tool_call_id: encodeAnsweredId('],
  ]),
  ...mutationsOf('dialects/anthropic/tools.ts', 'dialects/anthropic/rules.test.ts', [
    ['r56', 'input_schema: schema,', 'parameters: schema,'],
  ]),
  ...mutationsOf('dialects/anthropic/response-metadata.ts', 'dialects/anthropic/rules.test.ts', [
    ['r57', 'totalTokens: inputTokens + outputTokens,', 'totalTokens: inputTokens,'],
  ]),
  ...mutationsOf('dialects/anthropic/tool-calls.ts', 'dialects/anthropic/rules.test.ts', [
    [
      'r58',
      "{ type: 'tool-call', id, name, arguments: input }",
      "{ type: 'tool-call', id, name, arguments: { input } }",
    ],
  ]),
  ...mutationsOf('dialects/anthropic/constants.ts', 'dialects/anthropic/rules.test.ts', [
    ['r59', "['max_tokens', 'length'],", "['max_tokens', 'other'],"],
  ]),
  ...mutationsOf('dialects/anthropic/reasoning.ts', 'dialects/anthropic/rules.test.ts', [
    [
      'r198',
      "{ type: 'redacted_thinking', data: signature.value }",
      "{ type: 'thinking', thinking: text, signature: signature.value }",
    ],
  ]),
  ...mutationsOf('dialects/anthropic/parts.ts', 'dialects/anthropic/rules.test.ts', [
    ['r211', 'if (block !== undefined) blocks.push(block)', 'if (block !== undefined) blocks.unshift(block)'],
  ]),
  ...mutationsOf('dialects/shared/tool-arguments.ts', 'dialects/anthropic/rules.test.ts', [
    [
      'r215',
      "call.arguments ?? { INVALID_JSON: call.invalidArguments ?? '' }",
      "Object.keys(call.arguments ?? {}).length > 0 ? (call.arguments ?? {}) : { INVALID_JSON: '' }",
    ],
  ]),
]
