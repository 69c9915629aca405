import { describe, expect, test } from 'vitest'
import { errorCodec as ollama } from '../../../src/dialects/ollama/errors.ts'
import { ProviderError } from '../../../src/errors.ts'

describe('ollama: errors with a text only', () => {
  test.each([
    [400, 'the input length exceeds the context length', 'context-overflow', false],
    [400, 'the prompt is longer than the context length currently available', 'context-overflow', false],
    [500, 'the request exceeds the available context size', 'context-overflow', false],
    [400, 'registry.ollama.ai/library/gemma3:1b does not support tools', 'invalid-request', false],
    [400, '"gemma3:1b" does not support thinking', 'invalid-request', false],
    [400, 'model is required', 'invalid-request', false],
    [401, 'unauthorized', 'authentication', false],
    [403, 'ollama cloud is disabled', 'permission', false],
    [404, "model 'llama' not found", 'not-found', false],
    [429, 'too many requests', 'rate-limit', true],
    [499, 'request canceled', 'aborted', false],
    [500, 'llama runner process has terminated', 'server', true],
    [503, 'server busy, please try again.  maximum pending requests exceeded', 'overloaded', true],
  ] as const)('%d %s', (status, error, kind, retryable) => {
    expect(ollama.decodeError(status, { error })).toMatchObject({ status, kind, retryable, message: error })
    expect(ollama.encodeError(ollama.decodeError(status, { error }))).toMatchObject({
      status,
      body: { error },
    })
  })

  test('an error object, and an error of another dialect', () => {
    const body = { error: { message: 'Slow down', type: 'rate_limit_error' } }
    expect(ollama.decodeError(200, body)).toMatchObject({ kind: 'rate-limit', message: 'Slow down' })
    const { status, body: written } = ollama.encodeError(new ProviderError('Slow', { kind: 'rate-limit' }))
    expect([status, written]).toEqual([429, { error: 'Slow', type: 'rate_limit_error' }])
  })
})

describe('ollama: errors in streams', () => {
  test.each([
    [{ error: "model 'llama' not found" }, 'not-found'],
    [{ error: 'an error was encountered while running the model' }, 'unknown'],
    [{ error: 'No', type: 'overloaded_error' }, 'overloaded'],
  ] as const)('%j', (event, kind) => {
    const error = ollama.decodeErrorEvent(event)
    expect(error).toMatchObject({ kind, message: event.error })
    expect(error && ollama.encodeErrorEvent(error)).toEqual(event)
  })

  test.each([{ message: { role: 'assistant', content: 'Hi' }, done: false }, { error: '' }])(
    '%j is not an error',
    (event) => {
      expect(ollama.decodeErrorEvent(event)).toBeUndefined()
    },
  )
})
