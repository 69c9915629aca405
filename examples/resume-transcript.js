// @ts-check
// Reads a session file of Claude Code, continues it with a model of another vendor, and stores it with its branches.
import { dialects, textOf, user } from 'interlingua'
import { currentBranch, fromTranscript, toSessionLines } from 'interlingua/formats'
import { memoryStorage } from 'interlingua/stores'

const record = { sessionId: 'session-1', cwd: '/home/ada/weather', version: '2.1.160', isSidechain: false }
const lines = [
  { type: 'ai-title', aiTitle: 'Weather in Oslo', sessionId: 'session-1' },
  {
    ...record,
    type: 'user',
    uuid: 'a',
    parentUuid: null,
    message: { role: 'user', content: 'How warm is it in Oslo?' },
  },
  {
    ...record,
    type: 'assistant',
    uuid: 'b',
    parentUuid: 'a',
    message: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-sonnet-4-5',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'weather oslo' } }],
      stop_reason: 'tool_use',
      usage: { input_tokens: 20, output_tokens: 10 },
    },
  },
  {
    ...record,
    type: 'user',
    uuid: 'c',
    parentUuid: 'b',
    message: {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '4 degrees' }],
    },
  },
  // The user edited the question: a second branch.
  { ...record, type: 'user', uuid: 'd', parentUuid: 'a', message: { role: 'user', content: 'And in Rome?' } },
]
// The last line was cut off while it was written.
const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"type":"assis`

const { format, sessions, issues } = fromTranscript(text)
const [session] = sessions
if (session === undefined) throw new Error('The file contains no session.')
console.log(
  format,
  '|',
  session.title,
  '|',
  session.workingDirectory,
  '|',
  session.usage?.totalTokens,
  'tokens',
)
console.log(issues.map(({ line, message }) => `line ${line}: ${message}`).join('\n'))

// The current branch, for another provider.
const messages = currentBranch(session)
console.log(messages.map((message) => `${message.role}: ${textOf(message)}`).join('\n'))
const { value } = dialects.gemini.encodeRequest({ messages: [...messages, user('Answer in Celsius.')] })
console.log(value.contents.length, 'contents for Gemini')

// All branches, in a storage.
const storage = memoryStorage()
const { id } = await storage.importSession(toSessionLines(session, { format }))
console.log((await storage.branches(id)).length, 'branches in the storage')
/* prints:
claude-code | Weather in Oslo | /home/ada/weather | 30 tokens
line 6: The line is not valid JSON; it may have been cut off while it was written.
user: How warm is it in Oslo?
user: And in Rome?
3 contents for Gemini
2 branches in the storage
*/
