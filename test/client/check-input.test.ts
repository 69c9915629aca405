import type { ChatRequest } from 'interlingua'
import { demo, type Model, logging, openai, scripted, wrapModel } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'

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
    ['a text', { messages: 'Hi' }, '/messages', 'a string'],
    ['a list of texts', { messages: ['Hi'] }, '/messages/0', 'a string'],
    ['a wire message', { messages: [{ role: 'user', content: 'Hi' }] }, '/messages/0', 'an object'],
  ])('rejects a request with %s', async (_what, asked, path, found) => {
    const request = asked as unknown as ChatRequest
    const expected = { code: 'invalid-type', path, found, hint: expect.stringContaining('user(') as string }
    await expect(model.generate(request)).rejects.toMatchObject(expected)
    await expect(model.stream(request).reply).rejects.toMatchObject(expected)
  })
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
