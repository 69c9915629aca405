import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { createProgram, listCommands } from '../../src/cli/program.ts'
import { pages, root } from './pages.ts'
import { createSilentTerminal } from '../cli/silent-terminal.ts'

interface Block {
  readonly path: string
  readonly language: string
  readonly text: string
}

const blocks: Block[] = pages.flatMap(({ path, text: page }) => {
  const found: Block[] = []
  void marked.walkTokens(marked.lexer(page), (token) => {
    if (token.type === 'code')
      found.push({ path, language: String(token['lang'] ?? ''), text: token['text'] })
  })
  return found
})

const select = (...languages: readonly string[]): readonly Block[] =>
  blocks.filter(({ language }) => languages.includes(language))

/** What checks the blocks of each language. */
const CHECKED_LANGUAGES = ['js', 'json', 'sh', 'text', 'ts', 'tsx']

test('every block has a language that a test knows', () => {
  expect(blocks.filter(({ language }) => !CHECKED_LANGUAGES.includes(language))).toEqual([])
})

test('blocks of JSON are valid', () => {
  expect(select('json').length).toBeGreaterThan(1)
  for (const { text } of select('json')) expect(() => JSON.parse(text) as unknown).not.toThrow()
})

test('code of other libraries says that it is not run', () => {
  const unmarked = select('ts', 'tsx').filter(
    ({ text }) => !/^\/\/ .*: the tests do not run this\.\n/.test(text),
  )
  expect(unmarked).toEqual([])
})

/** Returns the commands of a line of a shell, as words; quoted text is one word. */
function splitCommands(line: string): readonly (readonly string[])[] {
  const words = [...line.matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word)
  const comment = words.indexOf('#')
  const commands: string[][] = [[]]
  for (const word of words.slice(0, comment === -1 ? undefined : comment))
    if (['|', '&&', '>'].includes(word)) commands.push([])
    else commands.at(-1)?.push(word)
  return commands
}

const program = await createProgram(createSilentTerminal('.'))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }

/** Returns what is wrong with a command: a command or an option that does not exist. */
function findMistakes(words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words[0] === 'npx' ? words.slice(1) : words
  if (first === 'npm' && rest[0] === 'run')
    return Object.hasOwn(scripts, rest[1] ?? '') ? [] : [`npm run ${rest[1]}`]
  if (first !== 'interlingua') return []
  let command = program
  for (const word of rest) {
    const next = command.commands.find((each) => each.name() === word)
    if (next === undefined) break
    command = next
  }
  const known = new Set(
    [...listCommands(command), program].flatMap(({ options }) =>
      options.flatMap(({ long, short }) => [long, short]),
    ),
  )
  const options = rest.filter((word) => /^--?[a-z]/.test(word)).map((word) => word.split('=')[0] ?? '')
  const unknown = options.filter((option) => !known.has(option) && option !== '--help')
  return command === program && options.length === 0 ? [rest[0] ?? ''] : unknown
}

test('commands of the shell exist, with their options', () => {
  const commands = select('sh').flatMap(({ text }) => text.split('\n').flatMap(splitCommands))
  expect(commands.filter((words) => words.includes('interlingua')).length).toBeGreaterThan(20)
  expect(commands.flatMap(findMistakes)).toEqual([])
})

test('a wrong command, option or script is found', () => {
  const find = (line: string): readonly string[] => splitCommands(line).flatMap(findMistakes)
  expect(find('npx interlingua convrt request.json')).toEqual(['convrt'])
  expect(find('cat log | interlingua convert - --too anthropic # a comment')).toEqual(['--too'])
  expect(find('npm ci && npm run missing')).toEqual(['npm run missing'])
})
