import { Command } from 'commander'
import type { Terminal } from '../terminal.ts'
import { pruneCommand, verifyStoreCommand } from './care.ts'
import { exportCommand, importCommand } from './exchange.ts'
import { listCommand } from './list.ts'
import { showCommand } from './show.ts'

export function storeCommand(terminal: Terminal): Command {
  const store = new Command('store').description(
    'Conversations are kept in a SQLite file: --store, else $INTERLINGUA_STORE, else where programs keep their data. Where there ' +
      'is no SQLite they are kept as lines of JSON, with a notice.',
  )
  const commands = [listCommand, showCommand, exportCommand, importCommand, verifyStoreCommand, pruneCommand]
  for (const make of commands) store.addCommand(make(terminal))
  return store
}
