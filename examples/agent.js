// @ts-check
// An agent with tools: it calls them, gets their results and responds. The caller keeps the history.
import { toolCall, validate } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { z } from 'zod'

const weather = tool({
  name: 'weather',
  description: 'The weather of a city, now.',
  input: z.object({ city: z.string() }),
  run: ({ city }) => ({ city, celsius: city === 'Oslo' ? 4 : 21 }),
})

// In a program: model('anthropic:claude-…'). This model follows a script, so that the example needs no
// network.
const model = scripted([
  [
    'Let me look.',
    toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }),
    toolCall({ id: 'call_2', name: 'weather', arguments: { city: 5 } }),
  ],
  'It is 4 °C in Oslo.',
  'Take a coat.',
])

const agent = new Agent({ model, tools: [weather], system: 'Be brief.', limits: { steps: 5 } })

const stream = agent.stream('How warm is it in Oslo?')
let shown = ''
for await (const { text, messages } of stream) {
  shown += text
  for (const { role, content } of messages)
    console.log(`${role}:`, content.map(({ type }) => type).join(', '))
}
console.log(JSON.stringify(shown)) // the line break after the tool call is only in the stream
const { messages: history, finish, steps } = await stream.result
console.log(finish.reason, 'after', steps.length, 'steps; problems:', validate(history).length)

// Only new messages are returned; pass the earlier ones as `history`.
const next = await agent.send('What should I wear?', { history })
console.log(next.text, next.messages.length)

/* prints:
user: text
assistant: text, tool-call, tool-call
tool: tool-result, tool-result
assistant: text
"Let me look.\nIt is 4 °C in Oslo."
stop after 2 steps; problems: 0
Take a coat. 2
*/
