// @ts-check
// Reads training data and an export of Claude.ai, converts one to the other, and keeps the branches.
import { textOf } from 'interlingua'
import { fromConversations, toConversation, toSessionLines } from 'interlingua/formats'
import { memoryStorage } from 'interlingua/stores'

// The parsed content of conversations.json. The text of the file can be passed, too.
const exported = [
  {
    uuid: 'c1',
    name: 'Weather',
    created_at: '2026-01-31T12:00:00Z',
    updated_at: '2026-01-31T12:05:00Z',
    chat_messages: [
      { uuid: 'm1', sender: 'human', text: 'How warm is it in Oslo?', parent_message_uuid: 'root' },
      { uuid: 'm2', sender: 'assistant', text: 'I do not know.', parent_message_uuid: 'm1' },
      { uuid: 'm3', sender: 'assistant', text: 'It is 4 degrees.', parent_message_uuid: 'm1' },
    ],
  },
]

const storage = memoryStorage()
for (const conversation of fromConversations(exported)) {
  const session = await storage.importSession(toSessionLines(conversation))
  const branches = await storage.branches(session.id)
  console.log(conversation.format, session.title, 'branches:', branches.length)

  // One line of a fine-tuning file: the current branch.
  const { value: record, losses } = toConversation(conversation.value, { to: 'openai-fine-tuning' })
  console.log(JSON.stringify(record))
  console.log('losses:', losses.length)
}

// A preference pair: the preferred answer is the current branch, the other one is a branch beside it.
const pair = {
  input: { messages: [{ role: 'user', content: 'How warm is it?' }] },
  preferred_output: [{ role: 'assistant', content: 'Where are you?' }],
  non_preferred_output: [{ role: 'assistant', content: 'Warm enough.' }],
}
for (const { value: request, allMessages = [] } of fromConversations([pair])) {
  console.log([...request.messages].map((message) => textOf(message)).join(' / '))
  console.log(allMessages.map((message) => textOf(message)).join(' / '))
}

/* prints:
claude-export Weather branches: 2
{"messages":[{"role":"user","content":"How warm is it in Oslo?"},{"role":"assistant","content":"It is 4 degrees."}]}
losses: 0
How warm is it? / Where are you?
How warm is it? / Where are you? / Warm enough.
*/
