import { dialects } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { formatShortBody } from '../../src/cli/demo-command.ts'
import { interlingua } from './run-command.ts'

describe('the tour', () => {
  test('shows the conversation in every dialect, with --full completely', async () => {
    const { code, stdout } = await interlingua(['demo', '--full'])
    expect(code).toBe(0)
    for (const [name, dialect] of Object.entries(dialects)) {
      const [, text = ''] = new RegExp(`^${name}  POST .*\\n((?: .*\\n)+)`, 'm').exec(stdout) ?? []
      const { value: request } = dialect.decodeRequest(JSON.parse(text))
      expect(Array.from(request.messages, ({ role }) => role)).toEqual([
        'user',
        'assistant',
        'tool',
        'assistant',
      ])
      expect(request.tools).toHaveLength(2)
    }
    expect(stdout).not.toContain('…')
  })

  test('truncates lines to the width of the terminal, and names --full', async () => {
    const { stdout } = await interlingua(['demo'])
    const bodies = stdout.split('\n').filter((line) => /^ +["{[]/.test(line))
    expect(Math.max(...bodies.map(({ length }) => length))).toBe(80)
    expect(stdout).toContain('interlingua demo --full')
  })

  test('a body is shown with all its fields and elements', () => {
    const body = { model: 'm', list: [{ a: 1 }, 'two'], empty: [], deep: { b: [1, 2] } }
    const lines = ['"model": "m"', '"list": [', '  {"a":1}', '  "two"', ']']
    expect(formatShortBody(body, 40)).toEqual([...lines, '"empty": [', ']', '"deep": {"b":[1,2]}'])
  })
})
