// @ts-check
// A growing conversation: each request starts with the text of the previous one, and only new messages are encoded.
import { assistant, dialects, Messages, user } from 'interlingua'

const { anthropic } = dialects

/** @param {Messages} messages */
const ask = (messages) =>
  anthropic.encodeRequestText({ model: 'claude-opus-4-6', maxOutputTokens: 500, messages }).value

let messages = Messages.of().system('Answer in one sentence.').user('Why is the sky blue?')
let before = ask(messages)

for (const question of ['And at sunset?', 'And on Mars?', 'And on Titan?']) {
  messages = messages.append(assistant('Because of how its air scatters light.'), user(question))
  const text = ask(messages)
  const shared = before.length - ']}'.length
  console.log(
    `${question} ${text.length} characters, the first ${shared} as before:`,
    text.startsWith(before.slice(0, shared)),
  )
  before = text
}

/* prints:
And at sunset? 356 characters, the first 189 as before: true
And on Mars? 519 characters, the first 354 as before: true
And on Titan? 683 characters, the first 517 as before: true
*/
