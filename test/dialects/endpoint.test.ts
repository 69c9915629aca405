import { dialects } from 'interlingua'
import { expect, test } from 'vitest'

test('a dialect says where a request goes, and what goes along outside of the body', () => {
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
