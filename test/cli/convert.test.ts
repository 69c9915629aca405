import { readdirSync } from 'node:fs'
import { detect, dialects, fromJson, translateRequest, translateResponse } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { Folder, interlingua } from './run-command.ts'
import { files, lossy, request, response, stream } from './input-fixtures.ts'

const NAMES = Object.values(dialects).map(({ name }) => name)
const line = JSON.stringify(request)

function jsonLines(text: string): { [key: string]: unknown }[] {
  return text
    .trimEnd()
    .split('\n')
    .map((each) => JSON.parse(each) as { [key: string]: unknown })
}

describe('convert: one document', () => {
  test.each(NAMES)('a request becomes the output of translateRequest for %s', async (to) => {
    const { code, stdout } = await interlingua(['convert', '--to', to], { input: line })
    expect(JSON.parse(stdout)).toEqual(translateRequest(request, { from: 'openai-chat', to }).value)
    expect(code).toBe(0)
  })

  test.each(NAMES)('a response becomes the output of translateResponse for %s', async (to) => {
    const input = JSON.stringify(response, null, 2)
    const { code, stdout } = await interlingua(['convert', '--to', to], { input })
    const created = /"(created|created_at|createTime)": ?("[^"]*"|\d+)/g
    const expected = translateResponse(response, { from: 'anthropic', to }).value
    expect(stdout.replaceAll(created, '')).toBe(
      `${JSON.stringify(expected, null, 2).replaceAll(created, '')}\n`,
    )
    expect(code).toBe(0)
  })

  test.each(NAMES)('a stream becomes a stream of %s', async (to) => {
    // A stream of text has the same form as in openai-chat: only the model indicates Mistral, unless the id is OpenAI's.
    const model = to === 'mistral' ? ['--model', 'mistral-large-2512'] : []
    const input = stream.replaceAll('chatcmpl-', '')
    const { code, stdout } = await interlingua(['convert', '--to', to, ...model], { input })
    expect(detect(stdout)[0]).toMatchObject({ kind: 'stream', name: to })
    expect(stdout).toContain('15 °C')
    expect(code).toBe(0)
  })

  test('the stored format can be written and read', async () => {
    const out = await interlingua(['convert', '--to', 'interlingua'], { input: line })
    expect([...fromJson(JSON.parse(out.stdout), 'request').messages]).toHaveLength(6)
    const back = await interlingua(['convert', '--to', 'openai-chat'], { input: out.stdout })
    expect(JSON.parse(back.stdout)).toEqual(request)
  })

  test('a stream is stored as the accumulated response', async () => {
    const { stdout } = await interlingua(['convert', '--to', 'interlingua'], { input: stream })
    expect(fromJson(JSON.parse(stdout), 'response').candidates[0]?.content).toMatchObject([
      { type: 'text', text: 'It is 15 °C in Rome.' },
    ])
  })

  test('losses are printed to standard error, as text or as JSON', async () => {
    const input = JSON.stringify(lossy)
    const words = await interlingua(['convert', '--to', 'anthropic'], { input })
    expect(words).toMatchObject({ code: 0 })
    expect(words.stderr).toMatch(/^loss {2}foreign-residue at \/extra\/openai-chat\/logit_bias: /m)
    const json = await interlingua(['convert', '--to', 'anthropic', '--json'], { input })
    expect(jsonLines(json.stderr)).toContainEqual(
      expect.objectContaining({ type: 'loss', rule: 'foreign-residue' }),
    )
    expect(JSON.parse(json.stdout)).toHaveProperty('max_tokens')
  })

  test('--strict refuses losses, and writes nothing', async () => {
    await using folder = await Folder.with({ 'lossy.json': JSON.stringify(lossy), 'out.json': 'before' })
    const words = ['convert', 'lossy.json', '--to', 'anthropic', '--strict', '-o', 'out.json']
    expect(await interlingua(words, { folder: folder.path })).toMatchObject({ code: 4, stdout: '' })
    expect(await folder.read('out.json')).toBe('before')
    expect(readdirSync(folder.path).toSorted()).toEqual(['lossy.json', 'out.json'])
    const allowed = await interlingua(
      ['convert', '--to', 'anthropic', '--model', 'claude-opus-5', '--strict'],
      {
        input: line,
      },
    )
    expect(allowed.code).toBe(0)
  })

  test('--model and --flavor reach the request', async () => {
    const body = { ...request, max_completion_tokens: 9 }
    const to = { from: 'openai-chat', to: 'openai-chat', model: 'other' } as const
    const words = ['convert', '--to', 'openai-chat', '--model', 'other', '--flavor', 'mistral']
    const { stdout } = await interlingua(words, { input: JSON.stringify(body) })
    const expected = translateRequest(body, { ...to, flavor: 'mistral' }).value
    expect(JSON.parse(stdout)).toEqual(expected)
    expect(expected).not.toEqual(translateRequest(body, to).value)
  })
})

describe('convert: lines', () => {
  test('each line is converted, and the losses are counted', async () => {
    await using folder = await Folder.with(files)
    const words = ['convert', 'log.jsonl', '--to', 'anthropic', '-o', 'out.jsonl']
    const { code, stdout, stderr } = await interlingua(words, { folder: folder.path })
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toMatch(/^1 {2}loss {2}foreign-residue/m)
    expect(stderr).toMatch(/^2 converted$/m)
    const expected = [request, lossy].map((each) =>
      translateRequest(each, { from: 'openai-chat', to: 'anthropic' }),
    )
    expect(jsonLines(await folder.read('out.jsonl'))).toEqual(expected.map(({ value }) => value))
  })

  test('requests, responses and stored conversations may be mixed', async () => {
    const stored = await interlingua(['convert', '--to', 'interlingua'], { input: line })
    const input = [line, JSON.stringify(response), JSON.stringify(JSON.parse(stored.stdout))].join('\n')
    const { code, stdout } = await interlingua(['convert', '--to', 'gemini'], { input })
    expect(code).toBe(0)
    expect(jsonLines(stdout).map((each) => Object.keys(each)[0])).toHaveLength(3)
  })

  const bad: readonly (readonly [name: string, text: string, reason: RegExp])[] = [
    ['not JSON', '{"model":', /not valid JSON/],
    ['a number', '42', /not a known request, response/],
    ['unknown JSON', '{"hello":"world"}', /not a known request, response/],
    ['a newer version', '{"interlingua":99,"messages":[]}', /version/],
    ['a wrong type', '{"interlingua":1,"messages":42}', /./],
    ['nested too deep', `{"messages":${'['.repeat(5000)}${']'.repeat(5000)}}`, /./],
  ]

  test.each(bad)('%s: file, line and reason; the rest with --keep-going', async (_name, text, reason) => {
    await using folder = await Folder.with({
      'bad.jsonl': `${line}\n\n${text}\n${line}\n`,
      'out.jsonl': 'before',
    })
    const words = ['convert', 'bad.jsonl', '--to', 'anthropic', '-o', 'out.jsonl']
    const stopped = await interlingua(words, { folder: folder.path })
    expect(stopped.code).toBe(3)
    expect(stopped.stderr).toMatch(/^bad\.jsonl:3: /m)
    expect(stopped.stderr).toMatch(reason)
    expect(await folder.read('out.jsonl')).toBe('before')
    const went = await interlingua([...words, '--keep-going', '--json'], { folder: folder.path })
    expect(went.code).toBe(3)
    expect(jsonLines(went.stderr)[0]).toMatchObject({ type: 'fault', file: 'bad.jsonl', line: 3 })
    expect(jsonLines(went.stderr).at(-1)).toMatchObject({ type: 'summary', converted: 2, faults: 1 })
    expect(jsonLines(await folder.read('out.jsonl'))).toHaveLength(2)
  })

  test('progress on a terminal only: bytes, lines, rate and losses; none with --quiet', async () => {
    await using folder = await Folder.with(files)
    const words = ['convert', 'log.jsonl', '--to', 'gemini', '-o', 'out.jsonl']
    const seen = await interlingua(words, { folder: folder.path, tty: true })
    expect(seen.stderr).toMatch(/\r\[#{24}\] 100 % 0\.0 MB, 2 lines \([\d,]+\/s\), 1 loss/)
    expect(seen.stdout).toBe('')
    const piped = await interlingua(words, { folder: folder.path })
    for (const mark of ['\u001b', '\r', '%']) expect(piped.stderr + piped.stdout).not.toContain(mark)
    const quiet = await interlingua([...words, '--quiet'], { folder: folder.path, tty: true })
    expect(quiet).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('--quiet prints errors all the same', async () => {
    const words = ['convert', '--to', 'anthropic', '--quiet', '--keep-going']
    const { code, stderr } = await interlingua(words, { input: `${JSON.stringify(lossy)}\n{"a":\n` })
    expect(code).toBe(3)
    expect(stderr).toMatch(/^stdin:2: The input is not valid JSON[^\n]*\n$/)
  })
})

describe('convert: errors', () => {
  test.each([
    ['a missing file', 'nothing.json', 3, /nothing\.json cannot be read: the file does not exist/],
    ['a folder', '.', 3, /it is a folder/],
    ['an empty file', 'empty.json', 3, /empty\.json: The input is empty/],
    ['a truncated stream', 'cut.sse', 3, /cut\.sse: The stream ended before the response was complete/],
    ['a stream of an unknown format', 'unknown.sse', 3, /unknown\.sse: The input is not a stream/],
  ])('%s', async (_name, file, code, reason) => {
    await using folder = await Folder.with({
      'empty.json': '',
      'cut.sse': stream.slice(0, stream.indexOf(' in Rome')).replace(/data: [^\n]*$/, ''),
      'unknown.sse': 'data: {"hello":"world"}\n\n',
    })
    const ran = await interlingua(['convert', file, '--to', 'anthropic', '-o', 'out'], {
      folder: folder.path,
    })
    expect(ran.code).toBe(code)
    expect(ran.stderr).toMatch(reason)
    expect(readdirSync(folder.path)).not.toContain('out')
  })

  test('with --keep-going, the beginning of a truncated stream is written', async () => {
    const input = stream.slice(0, stream.indexOf('data: [DONE]')).replace(/data: [^\n]*"stop"[^\n]*\n\n/, '')
    const { code, stdout } = await interlingua(['convert', '--to', 'ollama', '--keep-going'], { input })
    expect(code).toBe(3)
    expect(stdout).toContain('15 °C')
  })
})
