import { assistant, toolResults } from '../canonical/build/messages.ts'
import { reasoning, toolCall, toolResult } from '../canonical/build/parts.ts'
import { Messages } from '../canonical/collections/messages.ts'

/** A short conversation with reasoning and tools, the same each time. */
export function sampleConversation(): Messages {
  let count = 0
  const identity = { newId: (prefix: string) => `${prefix}_${++count}`, now: () => Date.UTC(2026, 0, 1, 12) }
  const oslo = toolCall({ ...identity, name: 'weather', arguments: { city: 'Oslo' } })
  const rome = toolCall({ ...identity, name: 'weather', arguments: { city: 'Rome' } })
  return Messages.of()
    .system('You are a travel guide. Answer in one sentence.', identity)
    .user('Is it warmer in Oslo or in Rome today?', identity)
    .append(
      assistant(
        [
          reasoning('I need the weather of both cities.', {
            signature: { maker: 'anthropic', value: 'sig_1' },
          }),
          'Let me look.',
          oslo,
          rome,
        ],
        {
          ...identity,
          origin: { dialect: 'anthropic', model: 'claude-sample' },
          usage: { inputTokens: 61, outputTokens: 48, totalTokens: 109, reasoningTokens: 12 },
          finish: { reason: 'tool-calls' },
        },
      ),
      toolResults([toolResult(oslo, { celsius: 4 }), toolResult(rome, { celsius: 15 })], identity),
    )
    .assistant('Rome is warmer today: 15 °C against 4 °C in Oslo.', identity)
}
