import { InterlinguaError } from 'interlingua'
import { Agent, tool, ToolExecutor } from 'interlingua/agent'
import { describe, expect, test } from 'vitest'
import { scripted } from '../../src/client/scripted-model.ts'

const model = scripted([])

/** Returns the path of the error that a function throws. */
function placeOf(build: () => unknown): string | undefined {
  try {
    build()
  } catch (error) {
    if (error instanceof InterlinguaError) return error.path
    throw error
  }
  return expect.fail('was not refused')
}

describe('an invalid option is rejected at once, with its path', () => {
  test.each<[string, object]>([
    ['/model', { model: undefined }],
    ['/model', { model: 'openai:gpt-5' }],
    ['/tools', { tools: [null] }],
    ['/tools', { tools: [{ name: 'weather', run: () => 1 }] }],
    ['/tools', { tools: [{ type: 'function', name: 'weather', input: {} }] }],
    ['/concurrency', { concurrency: 0 }],
    ['/concurrency', { concurrency: NaN }],
    ['/toolTimeoutMs', { toolTimeoutMs: -1 }],
    ['/outputRetries', { outputRetries: '2' }],
    ['/limits/steps', { limits: { steps: NaN } }],
    ['/limits/cost', { limits: { cost: '1 USD' } }],
    ['/limits/maxSteps', { limits: { maxSteps: 3 } }],
    ['/instructions', { instructions: 'Be brief.' }],
  ])('%s of %o', (path, options) => {
    expect(placeOf(() => new Agent({ model, ...options }))).toBe(path)
  })

  test('of a tool', () => {
    expect(placeOf(() => tool({ name: 'work', retries: -1 }))).toBe('/retries')
    expect(placeOf(() => tool({ name: 'work', timeoutMs: NaN }))).toBe('/timeoutMs')
    expect(placeOf(() => tool({ name: 'work', maxUses: -1 }))).toBe('/maxUses')
  })

  test('of an executor', () => {
    expect(placeOf(() => new ToolExecutor({ tools: [], concurrency: 0 }))).toBe('/concurrency')
  })

  test.each([undefined, null])('of a prompt that is %s, which is not sent as text', async (prompt) => {
    const sent = new Agent({ model }).send(prompt as unknown as string)
    await expect(sent).rejects.toMatchObject({ path: '/prompt' })
  })

  test('of a run', async () => {
    const sent = new Agent({ model }).send('Go', { limits: { timeMs: NaN } })
    await expect(sent).rejects.toMatchObject({ path: '/limits/timeMs' })
  })

  test.each([
    ['histroy', '`history`'],
    ['messages', '`history`'],
    ['maxSteps', '`limits: { steps }`'],
    ['signals', '`signal`'],
  ])('of a run, with the nearest name: %s', async (name, hint) => {
    const expected = { path: `/${name}`, hint: `Use ${hint}.` }
    const options = { [name]: [] }
    await expect(new Agent({ model }).send('Go', options)).rejects.toMatchObject(expected)
    await expect(new Agent({ model }).stream('Go', options).result).rejects.toMatchObject(expected)
  })
})
