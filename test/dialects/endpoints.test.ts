import { dialects, InterlinguaError, user } from 'interlingua'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../law-assertions.ts'

test('a dialect returns the endpoint of a request, and the headers to send with it', () => {
  const request = { messages: [] }
  expect(dialects['openai-chat'].endpoint(request)).toEqual({ path: '/chat/completions' })
  expect(dialects['openai-responses'].endpoint(request)).toEqual({ path: '/responses' })
  expect(dialects.ollama.endpoint(request)).toEqual({ path: '/api/chat' })
  expect(dialects.anthropic.endpoint(request)).toEqual({
    path: '/v1/messages',
    headers: { 'anthropic-version': '2026-10-21' },
  })
  expect(dialects.anthropic.endpoint(request, { apiVersion: '2023-06-01' }).headers).toEqual({
    'anthropic-version': '2023-06-01',
  })
})

describe('gemini has settings in the path that others have in the body', () => {
  const { gemini } = dialects
  const messages = [user('Hi')]

  test('writes the model, and whether the response is streamed', () => {
    expect(gemini.endpoint({ model: 'gemini-x', messages })).toEqual({
      path: '/v1beta/models/gemini-x:generateContent',
    })
    expect(gemini.endpoint({ model: 'models/gemini-x', messages, stream: true })).toEqual({
      path: '/v1beta/models/gemini-x:streamGenerateContent',
      query: { alt: 'sse' },
    })
    const tuned = gemini.endpoint(
      { model: 'gemini-x', messages },
      { model: 'tunedModels/mine', apiVersion: 'v1' },
    )
    expect(tuned.path).toBe('/v1/tunedModels/mine:generateContent')
    expect(() => gemini.endpoint({ messages })).toThrow(InterlinguaError)
  })

  test('reads both from the path', () => {
    const body = gemini.encodeRequest({ model: 'gemini-x', messages }).value
    expect(body).not.toHaveProperty('model')
    expect(gemini.decodeRequest(body).value).not.toHaveProperty('model')
    const vertex =
      '/v1/projects/p/locations/l/publishers/google/models/gemini-x:streamGenerateContent?alt=sse'
    expect(gemini.decodeRequest(body, { path: vertex }).value).toMatchObject({
      model: 'gemini-x',
      stream: true,
    })
    const tuned = '/v1beta/tunedModels/mine:generateContent'
    expect(gemini.decodeRequest(body, { path: tuned }).value).toMatchObject({
      model: 'tunedModels/mine',
      stream: false,
    })
    expect(gemini.decodeRequest(body, { path: '/v1beta/models/x:countTokens' }).value).not.toHaveProperty(
      'model',
    )
  })

  test('a model name cannot leave its path segment', () => {
    law(fc.string({ minLength: 1, unit: 'binary' }).filter(isPossibleName), (model) => {
      if (/^(?:models|tunedModels)\//.test(model)) return
      const { path } = gemini.endpoint({ model, messages })
      expect(new URL(path, 'https://example.org').pathname).toBe(path)
      expect(path).toMatch(/^\/v1beta\/models\/[^/:?#]+:generateContent$/)
      expect(gemini.decodeRequest({ contents: [] }, { path }).value.model).toBe(model)
    })
    for (const model of ['a/b', 'x:delete', 'x?key=1', 'models/x#y', '%2e%2e/x', '...', 'a..b']) {
      const { path } = gemini.endpoint({ model, messages })
      expect(new URL(path, 'https://example.org').pathname).toMatch(
        /^\/v1beta\/models\/[^/:]+:generateContent$/,
      )
    }
  })
})

describe.each([
  ['gemini', (model: string) => dialects.gemini.endpoint({ model, messages: [] })],
  [
    'gemini on Vertex AI',
    (model: string) => dialects.gemini.endpoint({ model, messages: [] }, { flavor: 'vertex' }),
  ],
  [
    'a version of gemini',
    (apiVersion: string) => dialects.gemini.endpoint({ model: 'm', messages: [] }, { apiVersion }),
  ],
  [
    'anthropic on Bedrock',
    (model: string) => dialects.anthropic.endpoint({ model, messages: [] }, { flavor: 'bedrock' }),
  ],
  [
    'anthropic on Vertex AI',
    (model: string) => dialects.anthropic.endpoint({ model, messages: [] }, { flavor: 'vertex' }),
  ],
] as const)('%s', (_name, getEndpoint) => {
  test.each(['..', '.', '../x', 'x/../../y', 'models/../../x', '..\\x', 'x/..', '\uD800', 'a\uDC00b'])(
    '[S6] refuses the name %j',
    (name) => {
      expect(() => getEndpoint(name)).toThrow(expect.objectContaining({ code: 'invalid-value' }))
    },
  )

  test('keeps every other name in its segment', () => {
    const { path } = getEndpoint('x')
    law(fc.string({ minLength: 1, unit: 'binary' }).filter(isPossibleName), (name) => {
      if (/^(?:models|tunedModels)\//.test(name)) return
      const { pathname } = new URL(getEndpoint(name).path, 'https://example.org')
      expect(pathname.split('/')).toHaveLength(path.split('/').length)
    })
  })
})

/** Names with a lone surrogate or a segment of dots have no path. */
function isPossibleName(text: string): boolean {
  const isWellFormed = !/[\uD800-\uDFFF]/.test(text.replaceAll(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g, ''))
  return isWellFormed && !/(?:^|[\\/])\.\.?(?:$|[\\/])/.test(text)
}
