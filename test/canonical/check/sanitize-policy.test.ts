import { file, image, type Loss, type Message, sanitize, user } from 'interlingua'
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
