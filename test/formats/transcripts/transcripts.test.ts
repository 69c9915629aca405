import { type Message, type Part, textOf } from 'interlingua'
import { currentBranch, fromMessages, fromTranscript, type Transcript } from 'interlingua/formats'
import { expect, test } from 'vitest'
import { findMissingTexts, parseRecords } from './record-texts.ts'
import { samples } from './sample-files.ts'

test.each(Object.entries(samples))(
  'every text of %s is in a message, in metadata or in a record',
  (_, [format, input]) => {
    const transcript = fromTranscript(input)
    expect(transcript.format).toBe(format)
    expect(transcript.issues).toEqual([])
    const records = (typeof input === 'string' ? [input] : input.map(({ text }) => text)).flatMap(
      parseRecords,
    )
    expect(findMissingTexts(transcript, records)).toEqual([])
  },
)

/** Describes the content of a message on one line. */
function describe(message: Message): string {
  const parts = message.content.map((part: Part): string => {
    if (part.type === 'text') return part.text.split('\n')[0] ?? ''
    if (part.type === 'reasoning') return `(${part.text})${part.signature === undefined ? '' : '*'}`
    if (part.type === 'tool-call') return `→${part.name} ${part.id}`
    if (part.type === 'tool-result')
      return `←${part.isError === true ? '!' : ''}${textOf(part)} ${part.callId}`
    return part.type
  })
  return `${message.role}: ${parts.join(' | ')}`
}

const describeBranch = (transcript: Transcript, section?: string): readonly string[] =>
  transcript.sessions.flatMap((session) => currentBranch(session, section)).map(describe)

/** The current branch of each sample: since the last compaction, without messages that were rewound. */
const branches: { readonly [title in keyof typeof samples]: readonly string[] } = {
  'Claude Code': [
    'user: Summary: the constant OSLO must be 4.',
    'assistant: OSLO is now 4. | →Bash toolu_bash02',
    'tool: ←[main 1a2b3c4] Oslo toolu_bash02',
    'assistant: Done: the change is committed.',
  ],
  'Claude Code 1.0': ['user: Greet me in Norwegian.', 'assistant: Hei!'],
  Codex: [
    'user: Keep the test.',
    'user: The story so far: OSLO is 4.',
    'user: Commit it.',
    'assistant: It is committed.',
  ],
  'Codex 0.20': [
    'user: List the files.',
    'assistant: (Listing files)* | →shell call_old01',
    'tool: ←data.js call_old01',
    'assistant: There is one file.',
  ],
  'Gemini CLI, a document': [
    'user: How warm is it in Oslo?',
    'assistant: (**Choosing a tool**\nThe web search knows it.) | I look it up. | →google_web_search google_web_search-1 | →read_file read_file-2',
    'tool: ←4 degrees google_web_search-1',
    'assistant: It is 4 degrees in Oslo.',
  ],
  'Gemini CLI, lines': [
    'user: Describe the picture. | image',
    'assistant: (Looking closer.) | →zoom zoom-1',
    'tool: ←a fjord zoom-1',
    'assistant: A fjord at night.',
    'user: Which season?',
    'assistant: Winter: there is snow.',
  ],
  opencode: [
    'user: Summarize the conversation so far.',
    'assistant: Summary: OSLO must be 4.',
    'user: Correct it.',
  ],
  pi: [
    'user: Oslo has 4 degrees.',
    'user: Try Milan.',
    'user: Answer in Celsius.',
    'assistant: Milan has 12 degrees.',
  ],
  'pi, version 1': ['user: Hello from version one', 'assistant: Hello back'],
  Cline: [
    'user: <task>',
    'assistant: (Read the test.)* | I read the test. | →read_file toolu_cline1',
    'tool: ←assert.equal(4) toolu_cline1',
    'user: <environment_details>',
    'assistant: The constant is wrong.',
  ],
  'Roo Code': [
    'user: Summary of the first question.',
    'assistant: (Thinking about it)*',
    'assistant: Second answer.',
  ],
  Continue: ['user: They talked about Oslo.', 'user: And in Rome?', 'system: Rules of the workspace'],
}

test.each(Object.entries(branches))('the current branch of %s', (title, expected) => {
  expect(describeBranch(fromTranscript(samples[title]?.[1]))).toEqual(expected)
})

test('the blocks of an answer and the results of parallel calls are one message each', () => {
  const [session] = fromTranscript(samples['Claude Code']?.[1]).sessions
  const [main, agent] = session?.sections ?? []
  expect(main?.messages.slice(0, 5).map(describe)).toEqual([
    'user: Why does the Oslo test fail?',
    'assistant: (The test and its data are needed.)* | I read the test and run it. | →Read toolu_read01 | →Bash toolu_bash01',
    "tool: ←assert.equal(temperature('Oslo'), 4) toolu_read01 | ←!expected 4, actual 5 toolu_bash01",
    'assistant: →Task toolu_task01',
    'tool: ←The constant OSLO in data.js. toolu_task01',
  ])
  const [, answer] = main?.messages ?? []
  expect(answer).toMatchObject({
    origin: { model: 'claude-sonnet-4-5', responseId: 'msg_sample01' },
    finish: { reason: 'tool-calls' },
    usage: { inputTokens: 9124, outputTokens: 98, cachedInputTokens: 9000, cacheWriteTokens: 120 },
  })
  const parents = main?.messages.map(({ parentId }) => main.messages.findIndex(({ id }) => id === parentId))
  // Two questions follow the same result, and the summary of the compaction starts a branch.
  expect(parents).toEqual([-1, 0, 1, 2, 3, 4, 4, -1, 7, 8, 9])
  expect(agent?.name).toBe('agent-a7f3c901')
  expect(agent?.messages.map(describe)).toEqual([
    'user: Where does the value for Oslo come from?',
    'assistant: It is the constant OSLO in data.js.',
  ])
})

/** What each program notes about a session. */
const facts: { readonly [title: string]: readonly unknown[] } = {
  'Claude Code': ['Fix the Oslo test', '/home/ada/weather', 20_506, ['agent-a7f3c901']],
  'Claude Code 1.0': [
    'Greeting in two languages',
    '/srv/app',
    19,
    ['agent-b2000000-0000-4000-8000-000000000003'],
  ],
  Codex: [undefined, '/home/ada/weather', 10_100, []],
  'Codex with a sub-agent': [
    undefined,
    '/home/ada/weather',
    10_100,
    ['agent-0199c0de-0000-7000-8000-000000000002'],
  ],
  'Gemini CLI, a document': ['Weather in Oslo', undefined, 1880, []],
  'Gemini CLI, lines': ['A picture of a fjord', '/home/ada/pictures', 630, []],
  opencode: ['Fix the Oslo test', '/home/ada/weather', 2060, []],
  pi: ['Comparing cities', '/home/ada/weather', 230, []],
  Cline: [undefined, undefined, 2050, []],
  'Roo Code': ['The Oslo test, in Roo Code', '/home/ada/weather', 100, []],
  Continue: ['Weather in Oslo', 'file:///home/ada/weather', 200, []],
}

test.each(Object.entries(facts))('title, folder, input tokens and sub-agents of %s', (title, expected) => {
  const [session] = fromTranscript(samples[title]?.[1]).sessions
  const agents = session?.sections.slice(1).map(({ name }) => name)
  expect([session?.title, session?.workingDirectory, session?.usage?.inputTokens, agents]).toEqual(expected)
})

test('records of unknown types are kept with their lines', () => {
  const [session] = fromTranscript(samples['Claude Code']?.[1]).sessions
  expect(session?.records.at(-1)).toMatchObject({ line: 27, record: { type: 'hologram' } })
})

test('a format can be named, and another one is an error', () => {
  const text = samples['Claude Code']?.[1]
  expect(fromTranscript(text, { from: 'claude-code' }).format).toBe('claude-code')
  expect(() => fromTranscript(text, { from: 'codex' })).toThrow(/a rollout file of Codex/)
  expect(() => fromTranscript([{ role: 'user', content: 'Hi' }])).toThrow(
    /a session file of claude-code, codex/,
  )
})

test.each(Object.entries(branches).filter(([title]) => !title.startsWith('pi')))(
  'fromMessages returns the current branch of %s',
  (title, expected) => {
    const [format, input] = samples[title] ?? []
    const read = fromMessages(input)
    expect(read.format).toBe(format)
    expect(read.value.map(describe)).toEqual(expected)
  },
)

test('fromMessages reports other branches and records', () => {
  const { losses } = fromMessages(samples['Claude Code 1.0']?.[1])
  expect(losses.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
    '/sessions/0/sections/1/messages/0 branch-omitted',
    '/sessions/0/sections/1/messages/1 branch-omitted',
    '/0 session-entry',
    '/5 session-entry',
  ])
})
