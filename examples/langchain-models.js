// @ts-check
// Runs a chain of LangChain on a model of this library, then an agent of this library on that chat model.
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { tool as langchainTool } from '@langchain/core/tools'
import { assistant, toolCall } from 'interlingua'
import { fromChatModel, toChatModel } from 'interlingua/adapters/langchain'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'

const input = {
  type: /** @type {const} */ ('object'),
  properties: { city: { type: /** @type {const} */ ('string') } },
}

/** A model that calls the tool and answers. In a program: `anthropic('claude-sonnet-5')`. */
const createModel = () =>
  scripted([
    assistant(toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })),
    'It is 4 °C.',
  ])

const chatModel = await toChatModel(createModel(), { temperature: 0 })
const readWeather = langchainTool(() => ({ celsius: 4 }), { name: 'weather', schema: input })
const prompt = ChatPromptTemplate.fromMessages([['human', 'How warm is it in {city}?']])
const answer = await prompt.pipe(chatModel.bindTools([readWeather])).invoke({ city: 'Oslo' })
console.log(answer.tool_calls?.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join())

const chunks = []
for await (const chunk of await chatModel.stream('How warm is it in Oslo?')) chunks.push(chunk.text)
console.log(chunks.join('|'))

const weather = tool({
  name: 'weather',
  description: 'Returns the weather.',
  input,
  run: () => ({ celsius: 4 }),
})
const agent = new Agent({ model: fromChatModel(await toChatModel(createModel())), tools: [weather] })
const result = await agent.send('How warm is it in Oslo?')
console.log(result.text, `(${result.steps.length} steps)`)

/* prints:
weather {"city":"Oslo"}
It |is |4 |°C.|
It is 4 °C. (2 steps)
*/
