import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { request } from './input-fixtures.ts'
import { Folder, interlingua } from './run-command.ts'

const convert = (folder: Folder, output: string): ReturnType<typeof interlingua> =>
  interlingua(['convert', 'in.json', '--to', 'gemini', '-o', output], { folder: folder.path })

describe('--output to a symbolic link', () => {
  test('whose target does not exist creates the target and keeps the link', async () => {
    await using folder = await Folder.with({ 'in.json': JSON.stringify(request) })
    symlinkSync('new.json', folder.at('second'))
    symlinkSync(folder.at('second'), folder.at('first'))
    expect((await convert(folder, 'first')).code).toBe(0)
    expect(readFileSync(folder.at('new.json'), 'utf8')).toContain('"contents"')
    expect(readdirSync(folder.path).toSorted()).toEqual(['first', 'in.json', 'new.json', 'second'])
    // It may contain a conversation.
    expect(statSync(folder.at('new.json')).mode & 0o777).toBe(0o600)
    expect(readFileSync(folder.at('first'), 'utf8')).toContain('"contents"')
  })

  test.each([
    ['into a missing folder', 'missing/new.json'],
    ['to itself', 'link'],
  ])('%s is refused', async (_title, target) => {
    await using folder = await Folder.with({ 'in.json': JSON.stringify(request) })
    symlinkSync(target, folder.at('link'))
    const { code, stderr } = await convert(folder, 'link')
    expect([code, stderr]).toEqual([1, expect.stringContaining('cannot be written')])
    expect(readdirSync(folder.path).toSorted()).toEqual(['in.json', 'link'])
  })
})
