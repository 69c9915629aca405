// @ts-check
// Builds a conversation with a tool call, stores it, reads it back.
import { assistant, fromJson, Messages, textOf, toJson, toolCall, toolResult, validate } from 'interlingua'

const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })

const messages = Messages.of()
  .system('Answer in one sentence.')
  .user('How warm is it in Oslo?')
  .append(assistant(['Let me look.', call]))
  .toolResults(toolResult(call, { celsius: 4 }))
  .assistant('It is 4 °C in Oslo.')

console.log(validate(messages).length, 'problems')

const text = JSON.stringify(toJson(messages))
const restored = fromJson(JSON.parse(text))
for (const message of restored) console.log(`${message.role}: ${textOf(message)}`)

/* prints:
0 problems
system: Answer in one sentence.
user: How warm is it in Oslo?
assistant: Let me look.
tool: {"celsius":4}
assistant: It is 4 °C in Oslo.
*/
