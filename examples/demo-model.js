// @ts-check
// A model for the first minute: it runs offline, calls tools, reports their results and follows an output schema.
import { Messages, reasoningOf, toolCallsOf, toolResult, user } from 'interlingua'
import { demo } from 'interlingua/providers'

const model = demo()
/** @type {import('interlingua').FunctionTool[]} */
const tools = [
  {
    type: 'function',
    name: 'get_weather',
    description: 'The weather in a city',
    input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
]

const question = Messages.of(user('What is the weather in Oslo?'))
const reply = await model.generate({ messages: question, tools })
console.log(reasoningOf(reply.message))
for (const call of toolCallsOf(reply.message)) console.log(call.name, call.arguments)

const [call] = toolCallsOf(reply.message)
const answered = question
  .append(reply.message)
  .toolResults(toolResult(call ?? '', { celsius: 4, sky: 'clear' }))
for await (const event of model.stream({ messages: answered, tools })) {
  if (event.type === 'text-delta') console.log(JSON.stringify(event.text))
}

const { text } = await model.generate({
  messages: answered.user('Say that as data, please.'),
  output: {
    type: 'json',
    schema: {
      type: 'object',
      properties: { mood: { enum: ['good', 'bad'] }, words: { type: 'array', items: { type: 'string' } } },
      required: ['mood', 'words'],
    },
  },
})
console.log(JSON.parse(text))

/* prints:
The prompt matches get_weather, so I call that first.
get_weather { city: 'Oslo' }
"get_weather "
"says: "
"celsius: "
"4, "
"sky: "
"clear."
{ mood: 'good', words: [ 'Say that as data, please.' ] }
*/
