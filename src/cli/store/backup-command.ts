import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { link, open, rm, stat, truncate } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Command } from 'commander'
import { InterlinguaError } from '../../errors.ts'
import { createUnusableFileError } from '../../stores/storage-errors.ts'
import { PRIVATE_FILE_MODE, refuseForeignFile } from '../../stores/storage-file.ts'
import { readJournal } from '../../stores/jsonl/read-journal.ts'
import { InMemoryTables } from '../../stores/in-memory/in-memory-tables.ts'
import { openOwnDatabase } from '../../stores/sqlite/open-sqlite-driver.ts'
import { addCommandExamples } from '../command-examples.ts'
import { toAbsolutePath } from '../input/input-source.ts'
import { printJson, printLine, type Terminal } from '../command-io.ts'
import { resolveStoreLocation, STORE_OPTION, type StoreOptions } from './open-store.ts'
import { findServerKind } from './server-url.ts'

interface BackupOptions extends StoreOptions {
  readonly output: string
}

export function createBackupCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('backup')
      .summary('copy the store to a new file')
      .description(
        'Writes a consistent copy of a SQLite or JSONL store to a new file, also while other processes write to the store. ' +
          'Use pg_dump for PostgreSQL, and redis-cli --rdb for Redis.',
      )
      .requiredOption('-o, --output <file>', 'the file to create; it must not exist')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((options: BackupOptions) => runBackup(options, terminal)),
    [['A daily copy', 'interlingua store backup -o conversations-monday.db']],
  )
}

/** Copies a store of each kind to a path at which an empty file exists. */
const COPIERS = { jsonl: copyJournal, sqlite: copyDatabase }

async function runBackup(options: BackupOptions, terminal: Terminal): Promise<void> {
  const { kind, path } = resolveStoreLocation(options.store, terminal)
  if (kind === 'server') throw unsupportedStore(path)
  if (!existsSync(path)) throw missingStore(path)
  const output = toAbsolutePath(options.output, terminal)
  await createFile(output, (temporary) => COPIERS[kind](path, temporary))
  const { size } = await stat(output)
  if (options.json === true) return printJson(terminal, { store: path, output, bytes: size })
  await printLine(terminal, `Copied ${path} to ${output}, ${size} bytes.`)
}

/** Copies what is committed, in one read transaction. */
async function copyDatabase(path: string, copy: string): Promise<void> {
  const database = await openOwnDatabase(path)
  try {
    database.prepare('vacuum into ?').all(copy)
  } finally {
    database.close()
  }
}

/** Copies all lines except one that is still being written. */
async function copyJournal(path: string, copy: string): Promise<void> {
  await refuseForeignFile(path, 'journal')
  const file = await open(copy, 'r+')
  await pipeline(createReadStream(path), file.createWriteStream())
  const { size } = await readJournal(createReadStream(copy), new InMemoryTables())
  await truncate(copy, size)
}

/** Creates a file that is complete as soon as it exists. An existing file is not replaced. */
async function createFile(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomUUID().slice(0, 8)}.tmp`
  try {
    if (existsSync(path)) throw existingOutput(path)
    await (await open(temporary, 'wx', PRIVATE_FILE_MODE)).close()
    await write(temporary)
    const file = await open(temporary, 'r+')
    await file.sync()
    await file.close()
    await link(temporary, path)
  } catch (error) {
    throw error instanceof InterlinguaError ? error : createUnusableFileError(error, path)
  } finally {
    await rm(temporary, { force: true })
  }
}

export function existingOutput(path: string): InterlinguaError {
  return new InterlinguaError('unwritable-file', `${path} cannot be written: the file already exists`, {
    expected: 'the path of a new file',
    hint: 'Choose another path, or remove the file first.',
  })
}

function missingStore(path: string): InterlinguaError {
  return new InterlinguaError('unreadable-file', `There is no store at ${path}`, {
    expected: 'an existing store',
    hint: 'Pass the path of the store with --store.',
  })
}

function unsupportedStore(path: string): InterlinguaError {
  const { name = 'servers', backupHint = 'Use the tools of the server' } = findServerKind(path) ?? {}
  return new InterlinguaError('unsupported', `\`store backup\` does not support ${name}`, {
    expected: 'a SQLite or JSONL file',
    hint: `${backupHint}, or copy single conversations with \`interlingua store export\`.`,
  })
}
