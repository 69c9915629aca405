import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { dialects } from '../../dialects/dialects.ts'
import { InterlinguaError } from '../../errors.ts'
import { getPackageFile } from '../../node/get-package-file.ts'
import { describeWriteError } from '../../wire/describe-write-error.ts'
import { isObject, tryParseJson } from '../../wire/json.ts'
import { addCommandExamples } from '../command-examples.ts'
import { printJson, printLines, type Terminal } from '../command-io.ts'
import { CommandExit } from '../exit-codes.ts'
import { toAbsolutePath } from '../input/input-source.ts'
import { createColorizer } from '../terminal-text.ts'

interface NewDialectOptions {
  readonly out?: string
  readonly json?: boolean
}

export function createCommand(terminal: Terminal): Command {
  const dialect = new Command('dialect')
    .summary('write the files of a new dialect')
    .description(
      'Writes the folder of a new dialect: files that describe its wire format, samples to fill in, and a test that fails ' +
        'until they are. An existing file is never overwritten.',
    )
    .argument('<name>', 'the name of the dialect, such as acme or acme-chat')
    .option('--out <folder>', 'the folder to write (default: the name)')
    .option('--json', 'print JSON')
    .action((name: string, options: NewDialectOptions) => runNewDialect(name, options, terminal))
  return new Command('new').description('Writes the files of something new.').addCommand(
    addCommandExamples(dialect, [
      ['Write the folder acme', 'interlingua new dialect acme'],
      ['Write another folder', 'interlingua new dialect acme-chat --out dialects/acme'],
    ]),
  )
}

/** A name is stored with messages, and is the name of a folder: it must be the same on every system. */
const DIALECT_NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

const MAX_NAME_CHARS = 40

/** Throws for a name that is not one, or that a built-in dialect has. */
function checkName(name: string): void {
  if (!DIALECT_NAME.test(name) || name.length > MAX_NAME_CHARS)
    throw new CommandExit(
      'usage',
      `'${name}' is not a name of a dialect: use at most ${MAX_NAME_CHARS} lower-case letters, digits and single hyphens, such as acme or acme-chat. Set the folder with --out.`,
    )
  if (Object.hasOwn(dialects, name))
    throw new CommandExit('usage', `'${name}' is the name of a built-in dialect: use another one.`)
}

async function runNewDialect(name: string, options: NewDialectOptions, terminal: Terminal): Promise<void> {
  checkName(name)
  const folder = options.out ?? name
  const identifier = `${name.replaceAll(/-([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase())}Dialect`
  const templates = await readTemplates(name, identifier)
  const needsPackage = await needsPackageFile(toAbsolutePath(folder, terminal))
  const files = needsPackage ? [...templates, PACKAGE_FILE] : templates
  await writeNewFiles(folder, files, terminal)
  if (options.json === true)
    return printJson(terminal, { name, identifier, folder, files: files.map(({ file }) => file) })
  const paint = createColorizer(terminal, terminal.stdout)
  await printLines(terminal, [
    `Wrote the dialect ${paint('cyan', name)} to ${folder}:`,
    ...files.map(({ file }) => `  ${join(folder, file)}`),
    '',
    `Next: put bodies of the provider into ${join(folder, 'samples.js')}, then run`,
    `  ${paint('cyan', `node --test ${join(folder, 'conformance.test.js')}`)}`,
  ])
}

/** The files of a dialect named `acme`, in the order in which they are worth reading. */
const TEMPLATE_FILES = [
  'README.md',
  'samples.js',
  'conformance.test.js',
  'index.js',
  'request.js',
  'settings.js',
  'blocks.js',
  'response.js',
  'stream.js',
  'errors.js',
] as const

interface NewFile {
  readonly file: string
  readonly text: string
}

/** The files are ES modules, which Node runs in a package of that type only. */
const PACKAGE_FILE: NewFile = { file: 'package.json', text: '{ "private": true, "type": "module" }\n' }

/** Returns true if ES modules in a folder need a package of their own: the folder is in no package of that type. */
async function needsPackageFile(folder: string): Promise<boolean> {
  let at = folder
  let text = await readPackage(at)
  // A package file of the folder itself is never overwritten.
  if (text !== undefined) return false
  while (text === undefined && dirname(at) !== at) {
    at = dirname(at)
    text = await readPackage(at)
  }
  const found = text === undefined ? undefined : tryParseJson(text)
  return !isObject(found) || found['type'] !== 'module'
}

function readPackage(folder: string): Promise<string | undefined> {
  return readFile(join(folder, PACKAGE_FILE.file), 'utf8').catch(() => undefined)
}

async function readTemplates(name: string, identifier: string): Promise<readonly NewFile[]> {
  const files: NewFile[] = []
  for (const file of TEMPLATE_FILES) {
    const template = await readFile(getPackageFile(`templates/dialect/${file}`), 'utf8')
    files.push({ file, text: template.replaceAll('acmeDialect', identifier).replaceAll('acme', name) })
  }
  return files
}

/** Writes all files, or none: an existing file is an error, and what was written before a failure is removed. */
async function writeNewFiles(folder: string, files: readonly NewFile[], terminal: Terminal): Promise<void> {
  const absolute = toAbsolutePath(folder, terminal)
  const existing = new Set<string>(await readdir(absolute).catch(() => []))
  const conflicts = files.map(({ file }) => file).filter((file) => existing.has(file))
  if (conflicts.length > 0)
    throw new InterlinguaError('conflict', `${folder} already contains ${conflicts.join(', ')}`, {
      path: '/out',
      found: 'existing files',
      expected: 'a folder without these files',
      hint: 'Nothing was written. Remove the files, or pass another folder with --out.',
    })
  const written: string[] = []
  try {
    await mkdir(absolute, { recursive: true })
    for (const { file, text } of files) {
      terminal.signal.throwIfAborted()
      // `wx`: a file that was created in the meantime is not overwritten.
      await writeFile(join(absolute, file), text, { flag: 'wx' })
      written.push(file)
    }
  } catch (cause) {
    for (const file of written) await rm(join(absolute, file), { force: true })
    terminal.signal.throwIfAborted()
    throw new InterlinguaError(
      'unwritable-file',
      `${folder} cannot be written: ${describeWriteError(cause)}`,
      {
        expected: 'a writable folder',
        hint: 'Check that the folder is writable, and that the disk is not full.',
        cause,
      },
    )
  }
}
