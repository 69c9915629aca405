import { assistant, file, image, type Loss, type Message, sanitize, text, user } from 'interlingua'
import { describe, expect, test } from 'vitest'

const said = (losses: readonly Loss[]): string[] => losses.map(({ rule, path }) => `${rule} ${path}`)

const addresses: readonly (readonly [url: string, kept: boolean])[] = [
  ['https://example.com/cat.png', true],
  ['https://sub.example.com:8443/a?b#c', true],
  ['https://münchen.example/', true],
  ['http://example.com/', false],
  ['ftp://example.com/', false],
  ['file:///etc/passwd', false],
  ['data:text/html,hi', false],
  ['https://user@example.com/', false],
  ['https://:secret@example.com/', false],
  ['https://127.0.0.1/', false],
  ['https://2130706433/', false],
  ['https://0x7f.1/', false],
  ['https://１２７.0.0.1/', false],
  ['https://169.254.169.254./latest', false],
  ['https://8.8.8.8/', false],
  ['https://[::1]/', false],
  ['https://localhost/', false],
  ['https://LOCALHOST./', false],
  ['https://a.localhost/', false],
  ['https://printer.local/', false],
  ['https://metadata.google.internal/', false],
  ['https://router.home.arpa/', false],
  ['https://intranet/', false],
  ['https://example.com\\@127.0.0.1/', false],
  ['https://exam\nple.com/', false],
  [' https://example.com/', false],
  ['//example.com/', false],
  ['https://', false],
  ['', false],
]

/** URLs that a provider reads with the credentials of the account, and what the application learns about them. */
const providerUrls: readonly (readonly [url: string, vendor: string])[] = [
  ['https://generativelanguage.googleapis.com/v1beta/files/X', 'google'],
  ['https://generativelanguage.googleapis.com:443/v1beta/files/X', 'google'],
  ['HTTPS://GenerativeLanguage.GoogleAPIs.com/v1beta/files/X', 'google'],
  ['https://generativelanguage.googleapis.com./v1beta/files/X', 'google'],
  ['https://generativelanguage.googleapis.com../v1beta/files/X', 'google'],
  ['https://user:pass@generativelanguage.googleapis.com/v1beta/files/X', 'google'],
  ['https://generativelanguage%2egoogleapis%2Ecom/v1beta/files/X', 'google'],
  ['https://generativelanguage。googleapis.com/v1beta/files/X', 'google'],
  ['https:\\\\generativelanguage.googleapis.com\\v1beta\\files\\X', 'google'],
  [' https://generative\nlanguage.googleapis.com/v1beta/%66iles/X', 'google'],
  ['http://generativelanguage.googleapis.com/v1beta/files/X', 'google'],
  ['https://generativelanguage.mtls.googleapis.com/v1beta/files/X', 'google'],
  ['https://us-central1-aiplatform.googleapis.com/v1/projects/p/files/X', 'google'],
  ['gs://bucket/object', 'google'],
  ['GS://bucket/object', 'google'],
  ['s3://bucket/object', 'amazon'],
  ['https://bedrock-runtime.us-east-1.amazonaws.com/x', 'amazon'],
  ['https://vpce-1.bedrock.eu-west-1.vpce.amazonaws.com/x', 'amazon'],
  ['https://res.openai.azure.com/openai/files/file-1/content', 'azure'],
  ['https://res.services.ai.azure.com/openai/v1/files/file-1', 'azure'],
  ['https://api.openai.com/v1/files/file-1/content', 'openai'],
  ['https://eu.api.openai.com/v1/files/file-1', 'openai'],
  ['https://api.anthropic.com/v1/files/file_1/content', 'anthropic'],
  ['https://api.mistral.ai/v1/files/1', 'mistral'],
]

describe('URLs of the API of a provider', () => {
  const withUrl = (url: string): Message => ({
    id: 'm',
    role: 'user',
    content: [{ type: 'image', source: { kind: 'url', url } }],
  })

  test.each(providerUrls)('%j is a file id, whatever the policy of URLs', (url, vendor) => {
    for (const policy of [{}, { urls: 'keep' }, { urls: () => true }] as const)
      expect(said(sanitize([withUrl(url)], policy).losses)[0]).toBe('untrusted-file-id /0/content/0')
    const asked: unknown[] = []
    const fileIds = (...given: readonly string[]): boolean => asked.push(given) > 0
    expect(sanitize([withUrl(url)], { fileIds }).value).toEqual([withUrl(url)])
    expect(asked).toEqual([[url, vendor]])
    const citing = assistant(text('So', { citations: [{ type: 'source', url }] }))
    expect(said(sanitize([citing]).losses)).toEqual(['untrusted-file-id /0/content/0/citations/0/url'])
  })

  test.each([
    'https://storage.googleapis.com/bucket/cat.png',
    'https://bucket.s3.amazonaws.com/cat.png',
    'https://generativelanguage.googleapis.com.example.org/files/X',
    'https://notgoogleapis.com/files/X',
    'https://cdn.openai.com/cat.png',
  ])('%j is an ordinary URL', (url) => {
    expect(sanitize([withUrl(url)]).losses).toEqual([])
  })

  test('rejects misspelled options and values, which would keep what they should drop', () => {
    const invalid = [{ fileId: 'keep' }, { toolResults: 'dorp' }, { roles: 'user' }, { isTrusted: 'keep' }]
    for (const policy of invalid)
      expect(() => sanitize([], policy as never)).toThrow(
        expect.objectContaining({ path: `/${Object.keys(policy)[0] ?? ''}` }),
      )
  })
})

describe('addresses and files of a client', () => {
  test.each(addresses)('by default the address %j: %s', (url, kept) => {
    const literal: Message = {
      id: 'm',
      role: 'user',
      content: [{ type: 'image', source: { kind: 'url', url } }],
    }
    expect(sanitize([literal]).value).toEqual(kept ? [literal] : [])
  })

  test('asks the application about addresses and files', () => {
    const messages = [
      user([
        image('http://cdn.test/a'),
        image('https://example.com/b'),
        file({ id: 'f1', provider: 'openai' }),
        file({ id: 'f2', provider: 'openai' }),
      ]),
    ]
    const { losses } = sanitize(messages, {
      urls: (url) => url.hostname === 'cdn.test',
      fileIds: (id, provider) => `${provider}/${id}` === 'openai/f2',
    })
    expect(said(losses)).toEqual(['untrusted-url /0/content/1', 'untrusted-file-id /0/content/2'])
    expect(said(sanitize([user(['x', image('https://example.com/b')])], { urls: 'drop' }).losses)).toEqual([
      'untrusted-url /0/content/1',
    ])
    const unreadable: Message = {
      id: 'm',
      role: 'user',
      content: [{ type: 'image', source: { kind: 'url', url: ':' } }],
    }
    expect(sanitize([unreadable], { urls: () => true }).value).toEqual([])
  })
})
