import { Command } from 'commander'
import { addCommandExamples } from '../command-examples.ts'
import { printJson, printLine, type Terminal } from '../command-io.ts'
import { openStore, STORE_OPTION, type StoreOptions, withStore } from './open-store.ts'

interface MigrateOptions extends StoreOptions {
  readonly search?: boolean
}

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
      .option('--search', 'create the index for `store search`, or add messages that it lacks')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((options: MigrateOptions) => runMigrate(options, terminal)),
    [
      ['The default store', 'interlingua store migrate'],
      ['With an index for searches', 'interlingua store migrate --search'],
    ],
  )
}

async function runMigrate({ store, search, json }: MigrateOptions, terminal: Terminal): Promise<void> {
  const opening = openStore(store, terminal, search === true ? { search } : {})
  await withStore(opening, async ({ storage, path }) => {
    if (search === true) await storage.rebuildSearchIndex?.()
    if (json === true) return printJson(terminal, { store: path, migrated: true })
    await printLine(terminal, `The tables of ${path} are up to date.`)
  })
}
