// @ts-check
// A conversation with Claude continues at Mistral, whose API has its own form of ids and of reasoning.
import { dialects, reasoningOf, textOf, translateRequest } from 'interlingua'

const { value, losses } = translateRequest(
  {
    model: 'claude-sonnet-5',
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'How warm is it in Oslo?' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'weather', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_1', content: '4 degrees' },
          { type: 'text', text: 'And in Rome?' },
        ],
      },
    ],
  },
  { from: 'anthropic', to: 'mistral', model: 'mistral-large-4' },
)
console.log(value.messages.map(({ role }) => role).join(' '))
console.log(losses.map(({ rule }) => rule).join(', '))

const answer = dialects.mistral.decodeResponse({
  choices: [
    {
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: 'Rome is in the south.' }] },
          { type: 'text', text: 'Warmer.' },
        ],
      },
      finish_reason: 'stop',
    },
  ],
}).value
for (const message of answer.candidates) console.log(reasoningOf(message), '|', textOf(message))

/* prints:
user assistant tool user
id-changed
Rome is in the south. | Warmer.
*/
