// @ts-check
// One conversation with a different provider in each turn. The agent keeps its tools, and the history needs no conversion.
import { textOf, toolCall } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'

const time = tool({ name: 'time', description: 'The time of day.', run: () => '3:45 PM' })

// Each scripted model encodes the request in the dialect of a provider, so that losses are real.
const anthropic = scripted([toolCall({ id: 'toolu_1', name: 'time' }), 'It is 3:45 PM.'], {
  dialect: 'anthropic',
  name: 'claude-sonnet-5',
})
const gemini = scripted(['A quarter of an hour ago it was half past three.'], { dialect: 'gemini' })
const openai = scripted(['You are welcome.'], { dialect: 'openai-responses' })

const agent = new Agent({ model: anthropic, tools: [time] })

const first = await agent.send('What time is it?')
const second = await agent.with({ model: gemini }).send('And before?', { history: first.messages })
const third = await agent
  .with({ model: openai })
  .send('Thanks!', { history: [...first.messages, ...second.messages] })

for (const message of [...first.messages, ...second.messages, ...third.messages]) {
  const summary = textOf(message) || message.content.map(({ type }) => type).join(', ')
  console.log(`${message.role}: ${summary}`)
}
const losses = [first, second, third].flatMap((result) => result.losses)
console.log('lost:', losses.filter(({ severity }) => severity === 'loss').length)

/* prints:
user: What time is it?
assistant: tool-call
tool: 3:45 PM
assistant: It is 3:45 PM.
user: And before?
assistant: A quarter of an hour ago it was half past three.
user: Thanks!
assistant: You are welcome.
lost: 0
*/
