import { InterlinguaError } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../../src/client/transport/redact-secrets.ts'
import { type Act, sends, startFake } from '../../providers/fakes/server.ts'
import { oneOfEach } from '../../providers/fakes/table.ts'
import { findPieces, forms } from './key-forms.ts'
import { tracesOf } from './secret-traces.ts'

const redacting = (headers: { readonly [name: string]: string }): ((text: string) => string) =>
  createRedactor(headers, new URL('https://api.example.com/v1'))

describe('no part of a key survives', () => {
  // Decoders mask the beginning of the first key, which looks like one, up to its punctuation.
  const keys = [
    'sk-proj-Zk3m5Vd2Lw8Rc"9/q7Tx+4f8e1b7c',
    'AIzaSyD-9tSrke72PouQMnMX-a7eZSW0jkFMBWY',
    'plain0123456789',
  ]

  test.each(forms)('%s', (_title, write) => {
    for (const key of keys) {
      const redact = redacting({ authorization: `Bearer ${key}` })
      expect(findPieces(redact(`Bad key (${write(key)}) given`), key)).toEqual([])
      expect(redact(`Bad key (${write(key)}) given`)).toMatch(/^Bad key \(.*\[redacted\].*\) given$/)
    }
  })

  test('user and password of basic authentication', () => {
    const redact = redacting({ authorization: `Basic ${btoa('alice-smith:hunter2-hunter2')}` })
    expect(redact('hunter2-hunter2 of alice-smith')).toBe('[redacted] of [redacted]')
  })

  test.each(oneOfEach)('$name: in errors, bodies, headers and streams', async (provider) => {
    const { wire } = provider
    const [key = ''] = keys
    const event = wire.errorEvent.replace(
      /"(message|error)":"[^"]*"/,
      (_all, name) => `"${name}":${JSON.stringify(`Bad key: ${key} given`)}`,
    )
    const everyForm = forms.map(([, write]) => write(key)).join(' ')
    for (const act of [
      sends(wire.error(401, `Bad key: ${key} given`), 401),
      sends(wire.error(401, `Bad key: ${everyForm} given`), 401),
      sends(wire.error(401, `Bad key: ${key} given`)),
      sends(`Bad key: ${everyForm}`, 500, { 'x-request-id': key, 'request-id': key.toLowerCase() }),
      (response) => void response.writeHead(200, { 'content-type': wire.streamType }).end(event),
    ] satisfies readonly Act[]) {
      const fake = await startFake(act)
      const asked = provider
        .at(fake.url)
        .with({ retry: { maxAttempts: 1 }, apiKey: key })('fake-1')
        .stream('Hi').reply
      const error: unknown = await asked.catch((each: unknown) => each)
      await fake.close()
      expect(error).toBeInstanceOf(InterlinguaError)
      expect(findPieces(tracesOf(error), key)).toEqual([])
    }
  })

  test('long text and long keys are redacted in linear time', () => {
    const redact = redacting({ authorization: `Bearer ${'k9'.repeat(1000)}` })
    // Processor time: other programs of the machine do not count.
    const time = (text: string): number => {
      const start = process.cpuUsage()
      redact(text)
      return process.cpuUsage(start).user / 1000
    }
    redact('warm up')
    // A quadratic pattern would take 256 times as long for 16 times the text.
    for (const piece of ['\\', 'k9', '*', '%25', '.']) {
      const small = Math.min(...[1, 2, 3].map(() => time(piece.repeat(5_000))))
      const large = Math.min(...[1, 2, 3].map(() => time(piece.repeat(80_000))))
      expect(large / Math.max(small, 1)).toBeLessThan(100)
    }
  })
})
