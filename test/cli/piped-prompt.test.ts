import { readdirSync } from 'node:fs'
import { PassThrough, Readable } from 'node:stream'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { joinPrompt } from '../../src/cli/chat/piped-prompt.ts'
import { openaiChat } from '../providers/fakes/openai-chat.ts'
import { type Fake, startFake } from '../providers/fakes/server.ts'
import { usualOf } from '../providers/fakes/table.ts'
import { Folder, interlingua, type Ran, type RunOptions } from './run-command.ts'

let fake: Fake
let folder: Folder
beforeAll(async () => {
  fake = await startFake(usualOf(openaiChat))
})
afterAll(() => fake.close())
beforeEach(async () => {
  folder = await Folder.with()
  return () => folder[Symbol.asyncDispose]()
})

/** Runs a chat, and returns the user messages of each request. */
async function chat(
  words: readonly string[],
  input: NonNullable<RunOptions['input']>,
): Promise<Ran & { readonly prompts: readonly string[] }> {
  const before = fake.requests.length
  const model = ['--model', 'openai:fake-1', '--base-url', fake.url]
  const ran = await interlingua(['chat', ...model, ...words], { folder: folder.path, input })
  const prompts = fake.requests.slice(before).map(({ body }) => {
    const { messages } = body as { messages: { content: string }[] }
    return messages.at(-1)?.content ?? ''
  })
  return { ...ran, prompts }
}

describe('chat with words and piped data', () => {
  test('sends both as one prompt, the words first', async () => {
    const { code, prompts } = await chat(['What', 'is wrong?'], 'Error: ENOENT\n  at open\n')
    expect(code).toBe(0)
    expect(prompts).toEqual(['What is wrong?\n\nStandard input:\n\n```\nError: ENOENT\n  at open\n```'])
  })

  test.each([
    ['words alone', ['Hello there'], '', ['Hello there']],
    ['words and blank data', ['Hello there'], ' \n\n', ['Hello there']],
    ['data alone, line by line', [], 'One\n\nTwo\n', ['One', 'Two']],
    ['an empty word and data', [''], 'One\nTwo\n', ['One\nTwo\n']],
    ['nothing', [], '', []],
  ])('%s', async (_name, words, input, expected) => {
    const { code, prompts } = await chat(words, input)
    expect({ code, prompts }).toEqual({ code: 0, prompts: expected })
  })

  test('an empty message is not sent', async () => {
    for (const words of [[''], [' ', '']]) {
      const { code, prompts, stderr } = await chat(words, '')
      expect([code, prompts]).toEqual([2, []])
      expect(stderr).toContain('check that the variable is set')
    }
  })

  test('an empty INTERLINGUA_MODEL is no model', async () => {
    const options = { folder: folder.path, input: 'Hi\n', environment: { INTERLINGUA_MODEL: '' } }
    const { code, stdout } = await interlingua(['chat', '--no-store'], options)
    expect(code).toBe(0)
    expect(stdout).toContain('I am the demo model')
  })

  test('a terminal is not read', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true })
    expect((await chat(['Hi'], input)).prompts).toEqual(['Hi'])
  })

  test('an open pipe that stays silent is not waited for', async () => {
    const input = new PassThrough()
    const { code, prompts, stderr } = await chat(['Hi'], input)
    expect({ code, prompts }).toEqual({ code: 0, prompts: ['Hi'] })
    expect(stderr).toMatch(/^Standard input sent nothing for 2 seconds: the message is sent alone\./)
    expect(input.destroyed).toBe(true)
  })

  test('a pipe that has begun to send is read to its end', async () => {
    const input = new PassThrough()
    input.write('early ')
    setTimeout(() => input.end('late'), 2200)
    const { prompts, stderr } = await chat(['Hi'], input)
    expect(prompts[0]).toContain('early late')
    expect(stderr).toBe('')
  })

  test('the end of the data is unambiguous, whatever it contains', () => {
    const data = fc
      .array(fc.constantFrom('`', '```', '````', '\n', 'a', ' ', '~~~', '</data>'), { minLength: 1 })
      .map((pieces) => pieces.join(''))
      .filter((text) => text.trim() !== '')
    fc.assert(
      fc.property(data, (text) => {
        const [, fence = '', block] =
          /^Q\n\nStandard input:\n\n(`{3,})\n([^]*)$/.exec(joinPrompt('Q', text)) ?? []
        expect(text).not.toContain(fence)
        expect(block).toBe(`${text.endsWith('\n') ? text : `${text}\n`}${fence}`)
      }),
    )
  })
})

describe('chat refuses data that is not text', () => {
  const inputs: Readonly<Record<string, readonly [data: Buffer, reason: RegExp]>> = {
    'a PNG file': [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0, 0, 0, 13, 0xff]), /not UTF-8 text/],
    'zero bytes': [Buffer.from('abc\0d\n'), /binary data/],
    'Latin-1': [Buffer.from('Grüße\n', 'latin1'), /not UTF-8 text.*\n.*iconv/],
    'half a character': [Buffer.from('é').subarray(0, 1), /not UTF-8 text/],
  }

  test.each(Object.entries(inputs))('%s, with and without words', async (_name, [data, reason]) => {
    for (const words of [['Why?'], []]) {
      const { code, stdout, stderr, prompts } = await chat(words, Readable.from([data]))
      expect({ code, stdout, prompts }).toEqual({ code: 3, stdout: '', prompts: [] })
      expect(stderr).toMatch(reason)
    }
  })

  test('creates no store', async () => {
    await chat(['Why?'], Readable.from([Buffer.from([0xff, 0])]))
    expect(readdirSync(folder.path)).toEqual([])
  })
})
