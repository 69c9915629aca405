// @ts-check
// Changes that break the rules of agents, providers and the package.
import { mutationsOf } from './mutation.js'

/** @type {readonly import('./mutation.js').RuleMutation[]} */
export const productMutations = [
  ...mutationsOf('agent/run-state.ts', 'agent/send.test.ts', [
    [
      'r156 r157 r160',
      'for (const message of messages) this.messages.push(message)',
      "for (const message of messages) if (message.role !== 'tool') this.messages.push(message)",
    ],
    ['r162', 'this.emit({ messages })', 'this.emit({ messages: messages.slice(1) })'],
  ]),
  ...mutationsOf('agent/run-loop.ts', 'agent/send.test.ts', [
    ['r161 C21', 'messages: [...messages],', 'messages: run.conversation.toArray(),'],
    ['r165 r167', "messages.map(reasoningOf).join('')", "messages.map(() => '').join('')"],
    ['r168', "...(thinking !== '' && { thinking }),", 'thinking,'],
  ]),
  ...mutationsOf('agent/orchestrators/run-turn.ts', 'agent/send.test.ts', [
    [
      'r166',
      "if (event.type === 'reasoning-delta') return { thinking: event.text }",
      "if (event.type === 'reasoning-delta') return { thinking: `${event.text}${event.text}` }",
    ],
  ]),
  ...mutationsOf('agent/step.ts', 'agent/send.test.ts', [
    ['C16', 'addUsage(...steps.flatMap(', 'addUsage(...steps.slice(1).flatMap('],
  ]),
  ...mutationsOf('agent/chunk-emitter.ts', 'agent/send.test.ts', [
    ['r171', '`\\n${text}`', 'text'],
    ['r183', 'id: this.#id, text: separatedText', "id: '', text: separatedText"],
  ]),
  ...mutationsOf('agent/agent-stream.ts', 'agent/runner-and-stream.test.ts', [
    ['r169', "previous === 'thinking' ? `\\n\\n${text}` : text", 'text'],
  ]),
  ...mutationsOf('agent/embeddings.ts', 'agent/runner-and-stream.test.ts', [
    ['r184', 'return vectors.flat()', 'return vectors.flat().toReversed()'],
  ]),
  ...mutationsOf('agent/orchestrators/select-orchestrator.ts', 'agent/output/modes.test.ts', [
    [
      'r163 r164 C25',
      'if (!supportsOutputSchema && supportsTools) return createReturnResultOrchestrator(output)',
      '',
    ],
  ]),
  ...mutationsOf('agent/orchestrators/select-orchestrator.ts', 'agent/orchestrators.test.ts', [
    [
      'r179 C25',
      'if (output === undefined) return toolLoopOrchestrator',
      "if (output === undefined) return { ...toolLoopOrchestrator, name: 'loop' }",
    ],
  ]),
  ...mutationsOf('agent/run-loop.ts', 'agent/orchestrators.test.ts', [
    ['r178 r186', 'await orchestrator.init?.(run)', ''],
    ['r185', 'await orchestrator.close?.(run)', ''],
  ]),
  ...mutationsOf('agent/run-state.ts', 'agent/orchestrators.test.ts', [
    ['r180', '?? options.id ?? generateId(', '?? options.id ?? agent.model.name ?? generateId('],
  ]),
  ...mutationsOf('agent/tools/tool-output.ts', 'agent/tools/tool-executor.test.ts', [
    ['r181', 'errorMessageOf(thrown), true)', 'errorMessageOf(thrown), false)'],
    ['r177', '(output ?? null) as ToolOutput', 'String(output) as ToolOutput'],
  ]),
  ...mutationsOf('providers/model-by-name.ts', 'providers/api-keys.test.ts', [
    ['r187', "checkModelName(id)).indexOf(':')", "checkModelName(id)).lastIndexOf(':')"],
  ]),
  ...mutationsOf('canonical/model/message.ts', 'architecture.test.ts', [
    ['r1', 'readonly parentId?: string', 'readonly parentId?: string\n  readonly tool_call_id?: string'],
  ]),
  ...mutationsOf('agent/pending-round.ts', 'architecture.test.ts', [
    [
      'r155 r159',
      "import { applicationCallsOf } from './assistant-content.ts'",
      "import { applicationCallsOf } from './assistant-content.ts'\nimport type { Provider } from '../providers/provider.ts'",
    ],
  ]),
  ...mutationsOf('wire/crc32.ts', 'architecture.test.ts', [
    ['r32', 'const table = getCrcTable()', 'const table = getCrcTable()\n  if (Math.random() > 2) return 0'],
  ]),
  ...mutationsOf('client/response-continuation.ts', 'client/response-continuation.test.ts', [
    ['r173', '[fields.id]: lastStored.id', '[fields.id]: lastStored.message.id'],
  ]),
  ...mutationsOf('index.ts', 'exports.test.ts', [
    [
      'r64',
      'export { addUsage, type Usage } from',
      'export { addUsage, addUsage as sumUsage, type Usage } from',
    ],
  ]),
  ...mutationsOf('dialects/ollama/request.ts', 'providers/api-keys.test.ts', [
    ['r176', "return { path: '/api/chat' }", "return { path: '/v1/chat' }"],
  ]),
  ...mutationsOf('formats/llm-msg-io/read.ts', 'formats/messages/llm-msg-io.test.ts', [
    ['r188', "typeof refusal === 'string' ? refusal : itemsOf(refusal)", 'itemsOf(refusal)'],
  ]),
  ...mutationsOf('stores/operations/sessions.ts', 'stores/sessions-and-stores.test.ts', [
    ['r81', "wanted.id ?? generateId('session', identity)", "wanted.id ?? 'session'"],
  ]),
  ...mutationsOf('stores/operations/load-and-save-message-store.ts', 'stores/sessions-and-stores.test.ts', [
    ['r124', 'if (isInternalSection(name)) continue\n    read.push', 'if (name) continue\n    read.push'],
  ]),
]
