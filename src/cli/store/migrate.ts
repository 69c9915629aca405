import { Command } from 'commander'
import { postgresStorage } from '../../stores/postgres/index.ts'
import { addCommandExamples } from '../command-examples.ts'
import { printJson, printLine, type Terminal } from '../command-io.ts'
import { openStore, type StoreOptions, withStore } from './open-store.ts'

/** Creates the command that creates or updates the tables of a store, with a role that may do so. */
export function createMigrateCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('migrate')
      .summary('create or update the tables of a store')
      .description(
        'Creates the tables of a store, or updates those of an older version. Afterwards, applications can open a PostgreSQL ' +
          'database with a role that may not create tables. Set the URL in $INTERLINGUA_STORE: other users of the machine can ' +
          'read the password on a command line.',
      )
      .option('--store <file or URL>', 'a SQLite file, a .jsonl file or a postgres:// URL')
      .option('--json', 'print JSON')
      .action((options: StoreOptions) => runMigrate(options, terminal)),
    [['The default store', 'interlingua store migrate']],
  )
}

async function runMigrate({ store, json }: StoreOptions, terminal: Terminal): Promise<void> {
  const given = store ?? terminal.environment['INTERLINGUA_STORE']
  const path = isPostgresUrl(given)
    ? await migratePostgres(given)
    : await withStore(openStore(store, terminal), async (opened) => opened.path)
  if (json === true) return printJson(terminal, { store: path, migrated: true })
  await printLine(terminal, `The tables of ${path} are up to date.`)
}

function isPostgresUrl(store: string | undefined): store is string {
  return store !== undefined && /^postgres(ql)?:\/\//.test(store)
}

/** Migrates a database and returns its URL without user, password and options. */
async function migratePostgres(url: string): Promise<string> {
  await (await postgresStorage(url)).close()
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
