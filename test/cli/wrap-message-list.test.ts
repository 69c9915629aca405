import {
  assistant,
  dialects,
  type Message,
  system,
  textOf,
  toJson,
  toolCall,
  toolResult,
  toolResults,
  translateRequest,
  user,
} from 'interlingua'
import { describe, expect, test } from 'vitest'
import { conversationFields } from '../../src/cli/input/body-shapes.ts'
import {
  getDocumentMessages,
  type InputDocument,
  decodeDocument,
} from '../../src/cli/input/input-document.ts'
import {
  BODY_FORMAT_NAMES,
  type BodyFormatName,
  isDialectName,
} from '../../src/cli/input/input-format-names.ts'
import { isObject } from '../../src/wire/json.ts'
import { subjects } from '../dialects/dialect-table.ts'
import { request } from './input-fixtures.ts'
import { Folder, interlingua, type Ran } from './run-command.ts'

const conversation: readonly Message[] = [
  system('Be brief.'),
  user('How warm is it in Oslo?'),
  assistant(toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })),
  toolResults(toolResult('call_1', '4 °C', { name: 'weather' })),
  assistant('It is 4 °C.'),
  user('And in Rome?'),
]

const plain: readonly Message[] = [user('Hi'), assistant('Hello!'), user('Bye')]

/** Returns the messages alone, as a program in this format holds them. */
function listOf(messages: readonly Message[], name: BodyFormatName): readonly unknown[] {
  const body: object = isDialectName(name)
    ? dialects[name].encodeRequest({ messages }).value
    : toJson(messages)
  return (body as { [key: string]: unknown[] })[conversationFields[name].key] ?? []
}

function textsOf({ content }: InputDocument): readonly string[] {
  const spoken = getDocumentMessages(content).filter(({ role }) => role === 'user' || role === 'assistant')
  return spoken.map((message) => textOf(message)).filter((text) => text !== '')
}

const convert = (list: unknown, ...words: readonly string[]): Promise<Ran> =>
  interlingua(['convert', ...words], { input: JSON.stringify(list) })

describe.each(BODY_FORMAT_NAMES)('a list of messages of %s', (name) => {
  const list = listOf(conversation, name)

  test('is detected', () => {
    // Messages of Mistral and Cohere have the form of openai-chat, unless they contain chunks or a tool plan of their own. The form
    // of Mistral's call ids is no sign: Groq has ids of nine letters and digits, too.
    const expected = name === 'mistral' || name === 'cohere' ? 'openai-chat' : name
    const evidence = 'a list of messages'
    expect(decodeDocument(list).detected).toMatchObject({ name: expected, evidence })
  })

  test.each(BODY_FORMAT_NAMES)('becomes a body of %s, detected or given by --from', async (to) => {
    for (const from of [[], ['--from', name]]) {
      const { code, stdout } = await convert(list, '--to', to, ...from)
      expect(code).toBe(0)
      const written = decodeDocument(JSON.parse(stdout), { from: to })
      expect(textsOf(written)).toEqual(textsOf(decodeDocument(list, { from: name })))
    }
  })

  test('has the same text if nothing indicates its format', () => {
    expect(textsOf(decodeDocument(listOf(plain, name)))).toEqual(['Hi', 'Hello!', 'Bye'])
  })

  test('is inspected, verified and imported', async () => {
    await using folder = await Folder.with({ 'list.json': JSON.stringify(list, null, 2) })
    const inspected = await interlingua(['inspect', 'list.json'], { folder: folder.path })
    expect(inspected.stdout).toMatch(/^ +\d+ user +And in Rome\?$/m)
    const ran = await interlingua(['verify', 'list.json'], { folder: folder.path })
    expect([ran.code, ran.stderr]).toEqual([0, ''])
    expect((await interlingua(['store', 'import', 'list.json'], { folder: folder.path })).code).toBe(0)
  })
})

describe.each(subjects)('every list of $name', ({ name, fixtures }) => {
  const { key, isMessage } = conversationFields[name]
  const lists = fixtures.request.flatMap(({ name: title, body }) => {
    const list = body[key]
    const isList = Array.isArray(list) && list.length > 0
    return isList && list.every((item) => isObject(item) && isMessage(item as Record<string, unknown>))
      ? [[title, list] as const]
      : []
  })

  test.each(lists)('%s: --from decides', async (_title, list) => {
    const { code, stdout } = await convert(list, '--from', name, '--to', 'anthropic')
    expect(code).toBe(0)
    const expected = translateRequest({ [key]: list }, { from: name, to: 'anthropic' }).value
    expect(JSON.parse(stdout)).toEqual(expected)
  })
})

test('a list of Chat messages becomes a body of Anthropic with the system prompt in its place', async () => {
  const { code, stdout } = await convert(request['messages'], '--from', 'openai-chat', '--to', 'anthropic')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ system: [{ text: 'Answer in one sentence.' }] })
})

test('lists may be lines of a JSONL file', async () => {
  const line = JSON.stringify(request['messages'])
  const { code, stdout } = await interlingua(['convert', '--to', 'gemini'], { input: `${line}\n${line}\n` })
  expect([code, stdout.trim().split('\n').length]).toEqual([0, 2])
})

test('--from interlingua reads the stored form, whatever --kind is', async () => {
  const stored: unknown = JSON.parse((await convert(request, '--to', 'interlingua')).stdout)
  for (const kind of ['request', 'stored']) {
    const { code } = await convert(stored, '--from', 'interlingua', '--kind', kind, '--to', 'gemini')
    expect(code).toBe(0)
  }
})

test('a list is not a response', async () => {
  const { code, stderr } = await convert(request['messages'], '--to', 'gemini', '--kind', 'response')
  expect(code).toBe(3)
  expect(stderr).toContain('found an array')
})
