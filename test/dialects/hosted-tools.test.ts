import { type DialectName, dialects, type EncodeOptions, type JsonObject, type Tool, user } from 'interlingua'
import { findRequestProblems } from 'interlingua/testing/providers'
import { describe, expect, test } from 'vitest'

/** The declaration of each hosted tool in the formats that have it. */
const declarations: { readonly [plain: string]: { readonly [name in DialectName]?: JsonObject } } = {
  'web search': {
    anthropic: { type: 'web_search_20250305', name: 'web_search' },
    'openai-responses': { type: 'web_search' },
    gemini: { googleSearch: {} },
    'gemini-interactions': { type: 'google_search' },
    mistral: { type: 'web_search' },
  },
  'code execution': {
    anthropic: { type: 'code_execution_20250825', name: 'code_execution' },
    'openai-responses': { type: 'code_interpreter', container: { type: 'auto' } },
    gemini: { codeExecution: {} },
    'gemini-interactions': { type: 'code_execution' },
    mistral: { type: 'code_interpreter' },
  },
  'URL fetch': {
    anthropic: { type: 'web_fetch_20250910', name: 'web_fetch' },
    gemini: { urlContext: {} },
    'gemini-interactions': { type: 'url_context' },
  },
}

const names = Object.keys(dialects) as DialectName[]

function decodeTools(name: DialectName, declared: JsonObject): readonly Tool[] {
  const body = { model: 'm', messages: [], input: [], contents: [], tools: [declared] }
  return dialects[name].decodeRequest(body).value.tools ?? []
}

function encodeTools(
  name: DialectName,
  tools: readonly Tool[],
  options: EncodeOptions = {},
): { readonly body: JsonObject; readonly rules: readonly string[] } {
  const request = { model: 'm', messages: [user('Hi')], tools }
  const { value, losses } = dialects[name].encodeRequest(request, options)
  const rules = losses.filter(({ path }) => path.startsWith('/tools')).map(({ rule }) => rule)
  return { body: value, rules }
}

const rows = Object.entries(declarations).flatMap(([plain, forms]) =>
  Object.entries(forms).flatMap(([from, declared]) =>
    names.map((to) => ({ plain, from: from as DialectName, declared, to, expected: forms[to] })),
  ),
)

describe.each(rows)('$plain of $from', ({ from, declared, to, expected }) => {
  test(`for ${to}`, () => {
    const { body, rules } = encodeTools(to, decodeTools(from, declared))
    if (expected === undefined) {
      expect(body).not.toHaveProperty('tools')
      expect(rules).toEqual(['foreign-tool'])
    } else {
      expect(body['tools']).toEqual([expected])
      // Both formats of Google declare the same tools.
      const isSameVendor = from === to || [from, to].every((name) => name.startsWith('gemini'))
      expect(rules).toEqual(isSameVendor ? [] : ['hosted-tool'])
    }
  })
})

describe.each(names)('%s: the hosted tools of all vendors in one request', (name) => {
  /** The tools of all declarations and a function with the name of each: an application that changes vendors lists them all. */
  const hosted = rows.filter(({ from, to }) => from === to)
  const all = hosted.flatMap(({ from, declared }) => decodeTools(from, declared))
  const foreign = all.filter((_, index) => hosted[index]?.from !== name)
  const functionNames = ['web_search', 'code_execution', 'web_fetch', 'web_search_premium']
  const createFunction = (each: string): Tool => ({ type: 'function', name: each, input: { type: 'object' } })

  test('are sent once each, and the others are reported', () => {
    const { body, rules } = encodeTools(name, foreign)
    const sent = (body['tools'] ?? []) as readonly JsonObject[]
    expect(new Set(sent.map((tool) => JSON.stringify(tool))).size).toBe(sent.length)
    const omitted = rules.filter((rule) => rule === 'hosted-tool-repeated' || rule === 'foreign-tool')
    expect(omitted).toHaveLength(foreign.length - sent.length)
  })

  test('are refused by no provider, also beside functions with their names', () => {
    const functions = functionNames.map(createFunction)
    for (const tools of [all, [...foreign, ...functions], [...functions, ...foreign]]) {
      const { body } = encodeTools(name, tools)
      const problems = findRequestProblems(name, body).filter(({ rule }) => rule.includes('tool'))
      expect(problems).toEqual([])
    }
  })
})

describe('a tool with a plain name', () => {
  const provider = (vendor: string, name: string, options: JsonObject = {}): Tool => ({
    type: 'provider',
    provider: vendor,
    name,
    options,
  })

  test.each([
    [
      'anthropic',
      provider('anthropic', 'web_search', { max_uses: 3 }),
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    ],
    [
      'anthropic',
      provider('anthropic', 'web_search', { type: 'web_search_20260209' }),
      { type: 'web_search_20260209', name: 'web_search' },
    ],
    [
      'anthropic',
      provider('anthropic', 'web_search_20260318'),
      { type: 'web_search_20260318', name: 'web_search' },
    ],
    [
      'anthropic',
      provider('anthropic', 'text_editor'),
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    ],
    ['anthropic', provider('anthropic', 'bash'), { type: 'bash_20250124', name: 'bash' }],
    [
      'openai-responses',
      provider('openai', 'code_execution'),
      { type: 'code_interpreter', container: { type: 'auto' } },
    ],
    [
      'openai-responses',
      provider('openai', 'web_search', { search_context_size: 'low' }),
      { type: 'web_search', search_context_size: 'low' },
    ],
    ['gemini', provider('google', 'web_search'), { googleSearch: {} }],
    ['gemini', provider('gemini', 'web_fetch'), { urlContext: {} }],
  ] as const)('for %s: %j', (name, tool, expected) => {
    const { body, rules } = encodeTools(name, [tool])
    expect(body['tools']).toEqual([expected])
    expect(rules).toEqual([])
  })

  test('options that both vendors have are converted, the others are reported', () => {
    const place = { type: 'approximate', city: 'Oslo' }
    const claude = provider('anthropic', 'web_search_20250305', {
      name: 'web_search',
      allowed_domains: ['example.com'],
      user_location: place,
      max_uses: 2,
    })
    const { body, rules } = encodeTools('openai-responses', [claude])
    expect(body['tools']).toEqual([
      { type: 'web_search', filters: { allowed_domains: ['example.com'] }, user_location: place },
    ])
    expect(rules).toEqual(['hosted-tool', 'no-field'])
    const openai = provider('openai', 'web_search', { filters: { allowed_domains: ['example.com'] } })
    expect(encodeTools('anthropic', [openai]).body['tools']).toEqual([
      { type: 'web_search_20250305', name: 'web_search', allowed_domains: ['example.com'] },
    ])
  })
})

describe('a web search of openai-chat', () => {
  const search: Tool = { type: 'provider', provider: 'anthropic', name: 'web_search', options: {} }

  test('is a field of OpenAI search models and a plugin of OpenRouter', () => {
    const openai = encodeTools('openai-chat', [search], { model: 'gpt-5-search-api' })
    expect(openai.body).toMatchObject({ web_search_options: {} })
    const router = encodeTools('openai-chat', [search], { flavor: 'openrouter' })
    expect(router.body).toMatchObject({ plugins: [{ id: 'web' }] })
    expect([...openai.rules, ...router.rules]).toEqual(['hosted-tool', 'hosted-tool'])
    expect(encodeTools('openai-chat', [search]).rules).toEqual(['foreign-tool'])
  })

  test.each([
    { web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Oslo' } } } },
    { plugins: [{ id: 'web', max_results: 3 }] },
    { plugins: [{ id: 'file-parser' }, { id: 'web' }] },
  ])('is sent back unchanged: %j', (fields) => {
    const body = { model: 'any-model', messages: [{ role: 'user', content: 'Hi' }], ...fields }
    const { value, losses } = dialects['openai-chat'].encodeRequest(
      dialects['openai-chat'].decodeRequest(body).value,
    )
    expect(value).toEqual(body)
    expect(losses).toEqual([])
  })

  test.each(names)('is sent without the options of OpenRouter to %s', (to) => {
    const plugins = [{ id: 'web', engine: 'exa', max_results: 3, search_prompt: 'Found:' }]
    const body = { model: 'any-model', messages: [{ role: 'user', content: 'Hi' }], plugins }
    const { tools } = dialects['openai-chat'].decodeRequest(body).value
    const { body: sent, rules } = encodeTools(to, tools ?? [])
    expect(JSON.stringify(sent)).not.toMatch(/exa|max_results|Found/)
    expect(rules).toEqual(
      sent['tools'] === undefined ? ['foreign-tool'] : ['hosted-tool', ...Array(3).fill('no-field')],
    )
  })

  test('is sent to other vendors as their tool', () => {
    const body = {
      model: 'gpt-5-search-api',
      messages: [{ role: 'user', content: 'Hi' }],
      web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Oslo' } } },
    }
    const request = dialects['openai-chat'].decodeRequest(body).value
    expect(dialects.anthropic.encodeRequest(request, { model: 'claude-sonnet-5' }).value.tools).toEqual([
      {
        type: 'web_search_20250305',
        name: 'web_search',
        user_location: { type: 'approximate', city: 'Oslo' },
      },
    ])
    expect(dialects.gemini.encodeRequest(request, { model: 'gemini-3.5-flash' }).value.tools).toEqual([
      { googleSearch: {} },
    ])
  })
})
