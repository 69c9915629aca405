// @ts-check
// Runs a tool loop of the AI SDK on a model of this library, then an agent of this library on that language model.
import { generateText, jsonSchema, stepCountIs, tool as sdkTool } from 'ai'
import { assistant, toolCall } from 'interlingua'
import { fromLanguageModel, toLanguageModel } from 'interlingua/adapters/ai-sdk'
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

const { text, steps } = await generateText({
  model: toLanguageModel(createModel()),
  prompt: 'How warm is it in Oslo?',
  tools: { weather: sdkTool({ inputSchema: jsonSchema(input), execute: () => ({ celsius: 4 }) }) },
  stopWhen: stepCountIs(5),
  maxRetries: 0,
})
console.log(text, `(${steps.length} steps)`)

const languageModel = toLanguageModel(createModel())
const weather = tool({
  name: 'weather',
  description: 'Returns the weather.',
  input,
  run: () => ({ celsius: 4 }),
})
const agent = new Agent({ model: fromLanguageModel(languageModel), tools: [weather] })
const result = await agent.send('How warm is it in Oslo?')
console.log(result.text, `(${result.steps.length} steps)`)

/* prints:
It is 4 °C. (2 steps)
It is 4 °C. (2 steps)
*/
