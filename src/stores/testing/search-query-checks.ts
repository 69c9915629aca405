import { assert } from './assertions.ts'
import { assistant, system, toolResults, user } from '../../canonical/build/messages.ts'
import { file, image, reasoning, toolCall, toolResult } from '../../canonical/build/parts.ts'
import { InterlinguaError } from '../../errors.ts'
import { type ConformanceChecks, expectError, searchIds } from './check-helpers.ts'

/** Texts by message id, and for each query the ids that it finds. */
const TEXTS = {
  oslo: 'The weather in Oslo, Norway',
  bergen: 'Is the WEATHER worse in Bergen than in Oslo?',
  code: 'const userName = getUserName(user_id) // see src/app.ts',
  accents: 'Crème brûlée in Straße 5, Ελλάδα, Привет',
  chinese: '我想去東京旅行。東京の天気',
  korean: '서울에서 만나요',
  mixed: 'Das iPhone手机 kostet 3.50',
  hostile: `'; drop table "x" -- :* NEAR(a b) & | ! ( ) { } ^ % _ \\`,
}

const QUERIES: readonly (readonly [query: string, ...ids: readonly (keyof typeof TEXTS)[]])[] = [
  ['weather', 'bergen', 'oslo'],
  ['OSLO weather', 'bergen', 'oslo'],
  ['oslo norway', 'oslo'],
  ['"in oslo"', 'bergen', 'oslo'],
  ['"oslo in"'],
  ['"weather in oslo', 'oslo'],
  ['weather -norway', 'bergen'],
  ['weather -"in oslo"'],
  ['weather -nor*', 'bergen'],
  ['nor*', 'oslo'],
  ['wea* ber*', 'bergen'],
  ['weathe'],
  ['username', 'code'],
  ['getUserName', 'code'],
  ['name', 'code'],
  ['user_id', 'code'],
  ['app.ts', 'code'],
  ['"app ts"', 'code'],
  ['user_na*'],
  ['creme BRULEE', 'accents'],
  ['straße', 'accents'],
  ['ελλαδα привет', 'accents'],
  ['東京', 'chinese'],
  ['京', 'chinese'],
  ['天気 東京', 'chinese'],
  ['京東'],
  ['行東'],
  ['서울', 'korean'],
  ['手机', 'mixed'],
  ['iphone手机', 'mixed'],
  ['iphone手', 'mixed'],
  ['3.50', 'mixed'],
  ['drop table', 'hostile'],
  ['near(a', 'hostile'],
  ['weather OR bergen'],
  ['oslo*norway', 'oslo'],
]

const HOSTILE_QUERIES = [
  '',
  ' ',
  '"',
  '-',
  '*',
  '""',
  '-"',
  'a*',
  '-oslo',
  '!!!',
  '\0',
  '\ud800',
  "'",
  '\\',
  '(',
  ')',
  'NOT',
  'AND',
  ':',
  '^a',
  'tokens:a',
  '{a}: b',
  'NEAR(a b, 2)',
  'a:*',
  'a & b',
  '!a',
  'a <-> b',
  "a' b",
  'a"b',
  '%',
  '_',
  '𝒳',
  '\u0301',
  'x'.repeat(1_001),
  'x '.repeat(40),
  'a'.repeat(500),
]

/** Checks of what a query means, and of what is searched. */
export const searchQueryChecks: ConformanceChecks = {
  'a search finds words, phrases and prefixes in any script': async (storage) => {
    await storage.createSession({ id: 's' })
    await storage.append(
      's',
      Object.entries(TEXTS).map(([id, text]) => user(text, { id })),
    )
    for (const [query, ...ids] of QUERIES) assert.deepEqual(await searchIds(storage, query), ids, query)
  },
  'no query fails other than with invalid-value, and none acts as syntax': async (storage) => {
    await storage.createSession({ id: 's' })
    await storage.append(
      's',
      Object.values(TEXTS).map((text) => user(text)),
    )
    for (const query of HOSTILE_QUERIES) {
      const error = await storage.search({ query }).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      assert.ok(error === undefined || error instanceof InterlinguaError, `query ${JSON.stringify(query)}`)
      assert.ok(error === undefined || error.code === 'invalid-value', `query ${JSON.stringify(query)}`)
    }
    await expectError('invalid-type', () => storage.search({ query: 1 as unknown as string }))
    await expectError('invalid-value', () => storage.search({ query: 'a', limit: 0 }))
    await expectError('invalid-value', () => storage.search({ query: 'a', role: 'robot' as 'user' }))
    await expectError('invalid-value', () => storage.search({ query: 'a', after: 'yesterday' }))
    for (const cursor of ['', 'x', '1', '~', "1~' or 1=1", '9'.repeat(20)])
      await storage.search({ query: 'a', cursor }).catch((error: unknown) => {
        assert.ok(error instanceof InterlinguaError && error.code === 'invalid-value', cursor)
      })
    await expectError('unknown-session', () => storage.search({ query: 'a', session: 'none' }))
  },
  'texts, tool calls, tool results and file names are searched, nothing else': async (storage) => {
    await storage.createSession({ id: 's' })
    const signature = { vendor: 'anthropic', value: 'signedword', contentDigest: 'd' }
    const bytes = { kind: 'base64', data: 'Ynl0ZXdvcmQ', mediaType: 'image/png' } as const
    await storage.append('s', [
      system('systemword', { id: 'system' }),
      user([image(bytes, { name: 'holiday-photo.png' }), file({ kind: 'text', text: 'fileword' })], {
        id: 'user',
      }),
      assistant(
        [
          reasoning('thoughtword', { signature }),
          toolCall({
            id: 'c',
            name: 'get_forecast',
            arguments: { city: 'Trondheim', days: [{ note: 'line\nbreak' }] },
          }),
        ],
        { id: 'call', extra: { openai: { $: { extraword: 1 } } }, metadata: { note: 'metaword' } },
      ),
      toolResults([toolResult('c', 'resultword', { name: 'get_forecast' })], { id: 'result' }),
    ])
    await storage.append('s', user('logword'), { section: '~tool-calls' })
    const found: Readonly<Record<string, readonly string[]>> = {
      systemword: ['system'],
      holiday: ['user'],
      png: ['user'],
      fileword: ['user'],
      get_forecast: ['call'],
      trondheim: ['call'],
      city: ['call'],
      break: ['call'],
      resultword: ['result'],
      thoughtword: [],
      signedword: [],
      Ynl0ZXdvcmQ: [],
      extraword: [],
      metaword: [],
      logword: [],
    }
    for (const [word, ids] of Object.entries(found))
      assert.deepEqual(await searchIds(storage, word), ids, word)
    assert.deepEqual(await searchIds(storage, 'resultword', { role: 'tool' }), ['result'])
    assert.deepEqual(await searchIds(storage, 'resultword', { role: 'user' }), [])
    assert.deepEqual(await searchIds(storage, 'trondheim', { tool: 'get_forecast' }), ['call'])
    assert.deepEqual(await searchIds(storage, 'resultword', { tool: 'get_forecast' }), ['result'])
    assert.deepEqual(await searchIds(storage, 'trondheim', { tool: 'forecast' }), [])
  },
}
