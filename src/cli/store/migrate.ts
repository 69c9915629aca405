import { Command } from 'commander'
import { addCommandExamples } from '../command-examples.ts'
import { printJson, printLine, type Terminal } from '../command-io.ts'
import { openStore, STORE_OPTION, type StoreOptions, withStore } from './open-store.ts'

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
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((options: StoreOptions) => runMigrate(options, terminal)),
    [['The default store', 'interlingua store migrate']],
  )
}

async function runMigrate({ store, json }: StoreOptions, terminal: Terminal): Promise<void> {
  const path = await withStore(openStore(store, terminal), async (opened) => opened.path)
  if (json === true) return printJson(terminal, { store: path, migrated: true })
  await printLine(terminal, `The tables of ${path} are up to date.`)
}
