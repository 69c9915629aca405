import { type ChatRequest, type Message, type MessageList, Messages, textOf, user } from 'interlingua'
import {
  anthropic,
  demo,
  type Model,
  type ModelInput,
  logging,
  openai,
  scripted,
  wrapModel,
} from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { sends, startFake } from '../providers/fakes/server.ts'
import { KEY, oneOfEach, startProvider } from '../providers/fakes/table.ts'

const fetch = (): never => expect.fail('nothing may be sent')
const models: readonly (readonly [string, Model])[] = [
  ['a provider', openai('fake-1', { apiKey: 'k', fetch })],
  ['a script', scripted(['Never.'])],
  ['the demo', demo()],
  ['one that is wrapped', wrapModel(demo(), logging({ log: () => {} }))],
]

describe.each(models)('%s', (_title, model) => {
  test.each([
    ['nothing', undefined, '/messages', 'nothing'],
    ['no messages', {}, '/messages', 'nothing'],
    ['a set', { messages: new Set([user('Hi')]) }, '/messages', 'an object'],
    ['a number', { messages: 5 }, '/messages', 'a number'],
    ['a list of texts', { messages: ['Hi'] }, '/messages/0', 'a string'],
    ['a role alone', { messages: [user('Hi'), { role: 'user' }] }, '/messages/1', 'an object'],
    ['a wire message', { messages: [{ role: 'user', content: 'Hi' }] }, '/messages/0/content', 'a string'],
  ])('rejects a request with %s', async (_what, asked, path, found) => {
    const request = asked as unknown as ChatRequest
    const expected = {
      code: 'invalid-type',
      message: expect.stringMatching(new RegExp(`^${path}: expected a .*, found ${found}$`)) as string,
      path,
      found,
      hint: expect.stringContaining('user(') as string,
    }
    await expect(model.generate(request)).rejects.toMatchObject(expected)
    await expect(model.stream(request).reply).rejects.toMatchObject(expected)
  })

  test.each([
    [{ maxOutputTokens: -1 }, '/maxOutputTokens', '-1', 'an integer of at least 0'],
    [{ temperature: Number.NaN }, '/temperature', 'NaN', 'a number of at least 0'],
    [{ topP: '0.5' }, '/topP', '"0.5"', 'a number from 0 to 1'],
    [{ reasoning: { budgetTokens: -5 } }, '/reasoning/budgetTokens', '-5', 'an integer of at least 0'],
  ])('rejects %j before anything is sent', async (setting, path, found, expected) => {
    const request = { messages: [user('Hi')], ...setting } as ChatRequest
    const hint = `Pass ${expected}, or omit the option.`
    const error = { code: 'invalid-value', path, found, expected, hint }
    await expect(model.generate(request)).rejects.toMatchObject(error)
    await expect(model.stream(request).reply).rejects.toMatchObject(error)
  })

  test('rejects UI messages and names the function that reads them', async () => {
    const messages = [
      { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
    ] as unknown as Message[]
    const expected = {
      path: '/messages/0',
      hint: expect.stringContaining('fromMessages') as string,
    }
    await expect(model.generate({ messages })).rejects.toMatchObject(expected)
    await expect(model.stream({ messages }).reply).rejects.toMatchObject(expected)
  })

  test.each([
    ['', '', 'an empty string'],
    [' \n', '', 'only white space'],
    [{ messages: '' }, '/messages', 'an empty string'],
  ])('rejects an empty prompt: %j', async (input, path, found) => {
    const expected = { code: 'invalid-value', path, found }
    await expect(model.generate(input)).rejects.toMatchObject(expected)
    await expect(model.stream(input).reply).rejects.toMatchObject(expected)
  })
})

/** A list of messages that is neither an array nor a `Messages`. */
class OwnList implements MessageList {
  readonly #messages: readonly Message[]

  constructor(...messages: readonly Message[]) {
    this.#messages = messages
  }

  get size(): number {
    return this.#messages.length
  }

  at(index: number): Message | undefined {
    return this.#messages.at(index)
  }

  [Symbol.iterator](): Iterator<Message> {
    return this.#messages[Symbol.iterator]()
  }
}

const inputs: readonly (readonly [string, ModelInput])[] = [
  ['a prompt', 'Oslo?'],
  ['a prompt with settings', { messages: 'Oslo?', temperature: 0 }],
  ['an array', { messages: [user('Oslo?')] }],
  ['a `Messages`', { messages: Messages.of('Oslo?') }],
  ['another list', { messages: new OwnList(user('Oslo?')) }],
]

describe.each(inputs)('every model accepts %s', (_title, input) => {
  test.each(oneOfEach)('$name', async (provider) => {
    const fake = await startProvider(provider)
    const model = provider.at(fake.url)('fake-1', { apiKey: KEY })
    await model.generate(input)
    await model.stream(input).reply
    await fake.close()
    expect(fake.requests.map(({ text }) => text.split('Oslo?').length)).toEqual([2, 2])
  })

  test('a script, the demo, and wrapped models', async () => {
    const script = scripted(['1', '2', '3', '4'])
    for (const model of [script, wrapModel(script, {}), demo()]) {
      await model.generate(input)
      await model.stream(input).reply
    }
    const texts = script.requests.map(({ messages }) => Array.from(messages, (each) => textOf(each)))
    expect(texts).toEqual([['Oslo?'], ['Oslo?'], ['Oslo?'], ['Oslo?']])
  })
})

test('the tokens of a prompt can be counted', async () => {
  const fake = await startFake(sends({ input_tokens: 3 }))
  const model = anthropic('fake-1', { apiKey: KEY, baseUrl: fake.url })
  expect(await model.countTokens?.('Oslo?')).toBe(3)
  expect(await wrapModel(model, {}).countTokens?.('Oslo?')).toBe(3)
  await expect(model.countTokens?.('')).rejects.toMatchObject({ code: 'invalid-value' })
  await fake.close()
})

test.each([undefined, '', 5])('a model without a name is rejected when it is created: %j', (name) => {
  expect(() => openai(name as string)).toThrow('The model name is missing')
  expect(() => openai.embedding(name as string)).toThrow('The model name is missing')
})

test.each(['one text', undefined, [5], [undefined]])(
  'only a list of strings can be embedded: %j',
  async (texts) => {
    const asked = openai.embedding('fake-1', { apiKey: 'k', fetch }).embed(texts as unknown as string[])
    await expect(asked).rejects.toMatchObject({ code: 'invalid-type', expected: 'a list of strings' })
  },
)
