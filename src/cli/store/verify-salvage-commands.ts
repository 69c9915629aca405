import { existsSync } from 'node:fs'
import { Command } from 'commander'
import type { ConversationStorage, IntegrityIssue } from '../../stores/conversation-storage.ts'
import { createStorage } from '../../stores/create-storage.ts'
import { InMemoryRowStore } from '../../stores/in-memory/memory-storage.ts'
import { addCommandExamples } from '../command-examples.ts'
import { formatErrorMessage } from '../error-output.ts'
import { CommandExit } from '../exit-codes.ts'
import { toAbsolutePath } from '../input/input-source.ts'
import { printJson, printLines, type Terminal } from '../command-io.ts'
import { existingOutput } from './backup-command.ts'
import { findSessionByIdPrefix, iterateSessions } from './find-sessions.ts'
import {
  openExistingStore,
  openStore,
  resolveStoreLocation,
  STORE_OPTION,
  type StoreOptions,
  withStore,
} from './open-store.ts'
import { readDamagedStore, type SalvagedRows } from './read-damaged-store.ts'
import { escapeControlCharacters } from '../terminal-text.ts'

interface SalvageOptions extends Pick<StoreOptions, 'json'> {
  readonly output: string
}

export function createSalvageCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('salvage')
      .summary('copy what is readable of a damaged store')
      .description(
        'Copies every readable conversation of a damaged SQLite or JSONL file to a new store, for all tenants, and lists what ' +
          'was left behind. The damaged file is not changed. Forks become independent. Exit code 5 if anything was damaged.',
      )
      .argument('<file>', 'the damaged store')
      .requiredOption('-o, --output <file or URL>', 'the new store; a file must not exist')
      .option('--json', 'print JSON')
      .action((file: string, options: SalvageOptions) => runSalvage(file, options, terminal)),
    [['After a disk failure', 'interlingua store salvage store.jsonl -o rescued.db']],
  )
}

async function runSalvage(file: string, { output, json }: SalvageOptions, terminal: Terminal): Promise<void> {
  const { kind, path } = resolveStoreLocation(output, terminal)
  if (kind !== 'server' && existsSync(path)) throw existingOutput(path)
  const salvaged = await readDamagedStore(toAbsolutePath(file, terminal))
  const report = await withStore(openStore(output, terminal), ({ storage }) =>
    copyRows(salvaged, storage, terminal),
  )
  if (json === true) await printJson(terminal, { output: path, ...report })
  else
    await printLines(terminal, [
      `Salvaged ${report.conversations} conversations with ${report.messages} messages to ${path}.`,
      ...report.issues.map(formatIntegrityIssue),
    ])
  if (report.issues.length > 0) throw new CommandExit('check-failed')
}

interface SalvageReport {
  readonly conversations: number
  readonly messages: number
  readonly issues: readonly IntegrityIssue[]
}

/** Copies the sessions of all tenants. A session that cannot be copied is an issue. */
async function copyRows(
  { tables, issues: found }: SalvagedRows,
  target: ConversationStorage,
  { signal }: Terminal,
): Promise<SalvageReport> {
  const issues = [...found]
  let [conversations, messages] = [0, 0]
  const source = createStorage(new InMemoryRowStore(tables))
  for (const tenant of new Set([...tables.session.values()].map((row) => row.tenant))) {
    const owned = source.forTenant(tenant)
    for (const issue of await owned.verify()) issues.push(issue)
    for await (const { id } of iterateSessions(owned)) {
      signal.throwIfAborted()
      try {
        let lines = 0
        const counted = async function* (): AsyncGenerator<string> {
          for await (const line of owned.exportSession(id)) {
            lines += 1
            yield line
          }
        }
        await target.forTenant(tenant).importSession(counted())
        conversations += 1
        messages += lines - 1 // the first line is the session
      } catch (error) {
        issues.push({ session: id, kind: 'body', reason: formatErrorMessage(error) })
      }
    }
  }
  return { conversations, messages, issues }
}

export function createVerifyStoreCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('verify')
      .summary('check stored conversations for damage')
      .description(
        'Recomputes every hash and checksum, and lists damaged messages. Exit code 5 if there are any.',
      )
      .argument('[id]', 'the id of one conversation; all of them if omitted')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((id: string | undefined, options: StoreOptions) => runVerifyStore(terminal, options, id)),
    [['Check all conversations', 'interlingua store verify']],
  )
}

function runVerifyStore(terminal: Terminal, { store, json }: StoreOptions, id?: string): Promise<void> {
  return withStore(openExistingStore(store, terminal), async ({ storage, path }) => {
    const issues = await storage.verify(
      id === undefined ? undefined : (await findSessionByIdPrefix(storage, id)).id,
    )
    const none = [`No damage found in ${path}.`]
    if (json === true) await printJson(terminal, issues)
    else await printLines(terminal, issues.length === 0 ? none : issues.map(formatIntegrityIssue))
    if (issues.length > 0) throw new CommandExit('check-failed')
  })
}

function formatIntegrityIssue({ session = '-', message = '-', kind, reason }: IntegrityIssue): string {
  return escapeControlCharacters(`${session}  ${message}  ${kind}: ${reason}`)
}
