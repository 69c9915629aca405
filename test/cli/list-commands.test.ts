import { dialects } from 'interlingua'
import { providers } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'
import { formatProgress } from '../../src/cli/convert/progress-bar.ts'
import { truncateToLine, escapeControlCharacters, formatTable } from '../../src/cli/terminal-text.ts'
import { interlingua } from './run-command.ts'

/** The start of a color code. */
const COLOUR = '\u001b['

describe('dialects', () => {
  test('are listed with their rules', async () => {
    const { stdout } = await interlingua(['dialects', '--json'])
    const list = JSON.parse(stdout) as { name: string; rules: { id: string }[] }[]
    expect(list.map(({ name }) => name)).toEqual(Object.keys(dialects))
    for (const { name, rules } of list)
      expect(rules.map(({ id }) => id)).toEqual(dialects[name as 'gemini'].rules.map(({ id }) => id))
  })
})

describe('providers', () => {
  const environment = {
    ANTHROPIC_API_KEY: 'sk-secret',
    OPENAI_API_KEY: ' ',
    AZURE_OPENAI_API_KEY: 'sk-secret',
  }

  test('are listed with their state, never with a key', async () => {
    const { stdout } = await interlingua(['providers', '--json'], { environment })
    const list = JSON.parse(stdout) as { name: string; state: string }[]
    const states = Object.fromEntries(list.map(({ name, state }) => [name, state]))
    expect(Object.keys(states)).toEqual(Object.keys(providers))
    expect(states).toMatchObject({
      anthropic: 'ready',
      openai: 'no key',
      azure: 'no base URL',
      ollama: 'ready',
    })
    expect(stdout).not.toContain('sk-secret')
  })

  test('are not contacted by doctor --offline', async () => {
    const { code, stdout } = await interlingua(['doctor', '--offline'], { environment })
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ok +anthropic +key is set; not contacted$/m)
    expect(stdout).not.toContain('sk-secret')
  })
})

describe('colours', () => {
  test.each([
    [true, {}, true],
    [true, { NO_COLOR: '1' }, false],
    [true, { TERM: 'dumb' }, false],
    [false, {}, false],
  ])('on a terminal (%s) with %j: %s', async (tty, environment, coloured) => {
    const { stdout } = await interlingua(['dialects'], { tty, environment })
    expect(stdout.includes(COLOUR)).toBe(coloured)
  })

  test('control characters are escaped', () => {
    expect(escapeControlCharacters('a\u001b[31m\u0007\u009b\u202eb\tc\r\nd')).toBe(
      'a\\u001b[31m\\u0007\\u009b\\u202eb\tc\nd',
    )
    for (const hidden of ['\u200e', '\u200f', '\u2028', '\u2029', '\u061c', '\u2066', '\ufeff', '\u{e0041}'])
      expect(JSON.parse(`"${escapeControlCharacters(hidden)}"`)).toBe(hidden)
    expect(escapeControlCharacters('\u{e0041}')).toBe('\\udb40\\udc41')
    // Joiners of emoji and scripts are visible in their effect.
    expect(escapeControlCharacters('👩‍👧 می‌خواهم')).toBe('👩‍👧 می‌خواهم')
  })

  test('truncation keeps characters intact, and wide ones count twice', () => {
    expect(truncateToLine('abcdef', 6)).toBe('abcdef')
    expect(truncateToLine('abcdefg', 6)).toBe('abcde…')
    expect(truncateToLine('日本語テキスト', 7)).toBe('日本語…')
    expect(truncateToLine('e\u0301'.repeat(5), 5)).toBe('e\u0301'.repeat(5))
    expect(truncateToLine('👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', 4)).toBe('👩‍👩‍👧…')
    const rows = formatTable([
      ['日本', '1'],
      ['abc', '2'],
    ])
    expect(rows).toEqual(['日本  1', 'abc   2'])
  })

  test('a bar shows progress, or a byte count if the size is unknown', () => {
    const counts = { lineCount: 0, lossCount: 0, elapsedMs: 0 }
    const none = '0 lines (0/s), 0 losses'
    expect(formatProgress({ ...counts, readBytes: 0, totalBytes: 10 })).toBe(
      `[........................] 0 % 0.0 MB, ${none}`,
    )
    expect(formatProgress({ ...counts, readBytes: 5, totalBytes: 10 })).toBe(
      `[############............] 50 % 0.0 MB, ${none}`,
    )
    expect(formatProgress({ ...counts, readBytes: 20, totalBytes: 10 })).toBe(
      `[########################] 100 % 0.0 MB, ${none}`,
    )
    expect(formatProgress({ readBytes: 5_000_000, lineCount: 12_000, lossCount: 1, elapsedMs: 4000 })).toBe(
      '5.0 MB, 12,000 lines (3,000/s), 1 loss',
    )
  })
})
