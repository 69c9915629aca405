// @ts-check
// A conversation is an immutable list: every operation returns a new list, and existing ones never change.
import { assistant, Messages, textOf, toolCall, toolResult, user } from 'interlingua'

const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const question = Messages.of()
  .system('Answer in one sentence.')
  .user('How cold is it in Oslo?', { id: 'question' })
  .assistant(['Let me look.', call])
  .toolResults(toolResult(call, '4 °C'))

// Two responses to the same question are independent lists.
const plain = question.append(assistant('It is 4 °C.'))
const friendly = question.append(assistant('A fresh 4 °C: take a coat!'))

/** @param {Messages} messages */
const show = (messages) =>
  messages.toText({ render: (message) => `${message.role}: ${textOf(message)}`, separator: '\n' })

console.log(show(friendly))
console.log('---')
console.log(question.size, plain.size, plain.last() === friendly.last())
console.log(show(plain.exceptRoles('system', 'tool').replace('question', user('And in Bergen?'))))

/* prints:
system: Answer in one sentence.
user: How cold is it in Oslo?
assistant: Let me look.
tool: 4 °C
assistant: A fresh 4 °C: take a coat!
---
4 5 false
user: And in Bergen?
assistant: Let me look.
assistant: It is 4 °C.
*/
