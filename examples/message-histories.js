// @ts-check
// One session of a storage as the history of a LangChain chain, and one as a chat of the AI SDK.
import { ChatPromptTemplate, MessagesPlaceholder } from '@langchain/core/prompts'
import { RunnableWithMessageHistory } from '@langchain/core/runnables'
import { textOf } from 'interlingua'
import { uiMessageHistory } from 'interlingua/adapters/ai-sdk'
import { toChatModel, toMessageHistory } from 'interlingua/adapters/langchain'
import { scripted } from 'interlingua/providers'
import { memoryStorage } from 'interlingua/stores'

const storage = memoryStorage()

// In a program: `anthropic('claude-sonnet-5')`.
const model = await toChatModel(scripted(['Hello Ada.', 'You are Ada.']))
const chain = new RunnableWithMessageHistory({
  runnable: ChatPromptTemplate.fromMessages([new MessagesPlaceholder('history'), ['human', '{input}']]).pipe(
    model,
  ),
  getMessageHistory: (/** @type {string} */ sessionId) => toMessageHistory(storage, sessionId),
  inputMessagesKey: 'input',
  historyMessagesKey: 'history',
})
const config = { configurable: { sessionId: 'ada' } }
await chain.invoke({ input: 'I am Ada.' }, config)
console.log((await chain.invoke({ input: 'Who am I?' }, config)).text)
for (const message of await storage.messages('ada')) console.log(`${message.role}: ${textOf(message)}`)

const history = uiMessageHistory(storage, 'chat-1')
await history.save([{ id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] }])
console.log(JSON.stringify(await history.load()))

/* prints:
You are Ada.
user: I am Ada.
assistant: Hello Ada.
user: Who am I?
assistant: You are Ada.
[{"id":"u1","role":"user","parts":[{"type":"text","text":"Hi"}]}]
*/
