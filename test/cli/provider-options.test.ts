import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { providerTable } from '../../src/providers/provider-table.ts'
import { type Fake, sends } from '../providers/fakes/server.ts'
import { fakeProviders, KEY, startProvider } from '../providers/fakes/table.ts'
import { Folder, interlingua, type Ran } from './run-command.ts'

const builtIn = fakeProviders.filter(({ name }) => Object.hasOwn(providerTable, name))
const needingKey = builtIn.filter(({ variables }) => variables.length > 0)
const rows = Object.values(providerTable)
const VARIABLES = rows.flatMap(({ keyVariables, baseUrlVariable = [] }) =>
  keyVariables.concat(baseUrlVariable),
)
const OTHER_KEY = 'sk-other-provider'

let folder: Folder
beforeEach(async () => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined)
  folder = await Folder.with()
  return () => folder[Symbol.asyncDispose]()
})
afterEach(() => vi.unstubAllEnvs())

const run = (words: readonly string[], input = '', environment = {}): Promise<Ran> =>
  interlingua(words, { folder: folder.path, input, environment })

/** Sets the key of one provider, and other keys for all others. */
function stubKeys(own: readonly string[]): void {
  for (const { keyVariables } of rows) for (const name of keyVariables) vi.stubEnv(name, OTHER_KEY)
  for (const name of own) vi.stubEnv(name, KEY)
}

describe.each(builtIn)('--base-url with $name', (provider) => {
  const { name, variables, auth } = provider
  let fake: Fake
  beforeEach(async () => {
    fake = await startProvider(provider)
    return () => fake.close()
  })
  const chat = (): Promise<Ran> =>
    run([
      'chat',
      'Hi',
      '--no-store',
      '--model',
      `${name}:${name === 'anthropic' ? 'claude-opus-5' : 'fake-1'}`,
      '--base-url',
      `${fake.url}/proxy/`,
    ])

  test('chat sends the request there, with its own key in its own header', async () => {
    stubKeys(variables)
    expect(await chat()).toMatchObject({ code: 0, stderr: '' })
    const [sent] = fake.requests
    expect(sent?.path).toMatch(/^\/proxy\/\w/)
    const isOwn = variables.length > 0
    if (isOwn) expect(sent?.headers[auth]).toMatch(new RegExp(`^(Bearer )?${KEY}$`))
    if (isOwn) expect(JSON.stringify(sent)).not.toContain(OTHER_KEY)
  })

  test('chat needs no key, and sends none', async () => {
    expect(await chat()).toMatchObject({ code: 0, stderr: '' })
    const { authorization, 'api-key': apiKey, 'x-goog-api-key': googleKey } = fake.requests[0]?.headers ?? {}
    expect([authorization, apiKey, googleKey]).toEqual([undefined, undefined, undefined])
  })

  test('doctor asks only this provider, there', async () => {
    fake.next(sends({ data: [], models: [] }))
    const { code, stdout } = await run(['doctor', name, '--base-url', fake.url, '--json'])
    const { checks } = JSON.parse(stdout) as { checks: { name: string; detail: string }[] }
    expect(checks.filter((check) => Object.hasOwn(providerTable, check.name))).toEqual([
      expect.objectContaining({ name, detail: expect.stringMatching(/^answers|not contacted$/) as string }),
    ])
    const hasList = providerTable[name as 'openai'].listStyle !== undefined
    expect([code, fake.requests.length]).toEqual([0, hasList ? 1 : 0])
  })
})

describe('--base-url', () => {
  test('belongs to the provider of --model: /model to another one does not use it', async () => {
    const [openai, anthropic] = ['openai', 'anthropic'].map((name) =>
      builtIn.find((each) => each.name === name),
    )
    if (openai === undefined || anthropic === undefined) throw new Error('no fakes')
    const [fake, other] = [await startProvider(openai), await startProvider(anthropic)]
    vi.stubEnv('ANTHROPIC_BASE_URL', other.url)
    stubKeys(openai.variables)
    const lines = ['One', '/model anthropic:fake-2', 'Two', '/model openai:fake-3', 'Three'].join('\n')
    const ran = await run(['chat', '--model', 'openai:fake-1', '--base-url', fake.url], lines)
    expect(ran.code).toBe(0)
    expect(fake.requests.map(({ body }) => (body as { model: string }).model)).toEqual(['fake-1', 'fake-3'])
    expect(other.requests).toHaveLength(1)
    expect(JSON.stringify(fake.requests)).not.toContain(OTHER_KEY)
    await Promise.all([fake.close(), other.close()])
  })

  const commands = [
    ['chat', 'Hi', '--model', 'openai:fake-1'],
    ['doctor', 'openai'],
  ]
  const invalid: readonly (readonly [url: string, found: string])[] = [
    ['', 'text that is not a URL'],
    ['localhost', 'text that is not a URL'],
    ['localhost:8000', 'a URL with another protocol'],
    ['file:///etc/passwd', 'a URL with another protocol'],
    ['ftp://example.com', 'a URL with another protocol'],
    ['https://me:sk-secret@example.com', 'a URL with a user name or a password'],
  ]
  test.each(invalid)('%j is rejected and not quoted', async (url, found) => {
    for (const words of commands) {
      const { code, stdout, stderr } = await run([...words, '--base-url', url])
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^error: --base-url is invalid: expected an http or https URL/)
      expect(stderr).toContain(`found ${found}`)
      expect(stderr).not.toContain('sk-secret')
    }
  })

  test.each([
    [['chat', 'Hi'], 'pass --model <provider>:<model>'],
    [['chat', 'Hi', '--model', 'demo'], 'pass --model <provider>:<model>'],
    [['doctor'], 'interlingua doctor <provider> --base-url'],
  ])('%j without a provider is an error of usage', async (words, hint) => {
    const { code, stderr } = await run([...words, '--base-url', 'http://127.0.0.1:9'])
    expect(code).toBe(2)
    expect(stderr).toContain(hint)
  })
})

describe('a missing key', () => {
  test.each(needingKey)('of $name has its own exit code and a hint', async ({ name, variables }) => {
    const { code, stdout, stderr } = await run(['chat', 'Hi', '--model', `${name}:fake-1`])
    expect([code, stdout]).toEqual([7, ''])
    expect(stderr).toContain(`The API key of ${name} is missing`)
    for (const variable of variables) expect(stderr).toContain(variable)
    expect(stderr).toContain(`export ${variables[0]}=`)
    expect(stderr).toContain('No key is needed with --base-url, for the providers ollama')
  })

  test('is JSON with --json', async () => {
    const { code, stderr } = await run(['chat', 'Hi', '--model', 'openai:fake-1', '--json'])
    expect(code).toBe(7)
    expect(JSON.parse(stderr)).toMatchObject({
      code: 'missing-field',
      hint: expect.stringContaining('OPENAI_API_KEY') as string,
    })
  })

  test('of the provider that doctor is asked for is a problem', async () => {
    const { code, stdout } = await run(['doctor', 'openai', '--offline'])
    expect(code).toBe(5)
    expect(stdout).toMatch(/^broken +openai +no key: set OPENAI_API_KEY$/m)
    expect((await run(['doctor', '--offline'])).code).toBe(0)
  })

  test('is different from an invalid base URL in a variable', async () => {
    vi.stubEnv('ANTHROPIC_API_KEY', KEY)
    vi.stubEnv('ANTHROPIC_BASE_URL', 'nonsense')
    const { code, stderr } = await run(['chat', 'Hi', '--model', 'anthropic:fake-1'])
    expect(code).toBe(2)
    expect(stderr).toContain('The base URL is invalid')
  })

  test('is different from a missing base URL', async () => {
    vi.stubEnv('AZURE_OPENAI_API_KEY', KEY)
    const { code, stderr } = await run(['chat', 'Hi', '--model', 'azure:fake-1'])
    expect(code).toBe(2)
    expect(stderr).toContain('AZURE_OPENAI_ENDPOINT')
  })
})
