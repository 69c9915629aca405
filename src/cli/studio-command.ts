import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Command } from 'commander'
import { startStudio } from '../studio/start-studio.ts'
import { addCommandExamples } from './command-examples.ts'
import { printJson, printLine, type Terminal } from './command-io.ts'
import { parsePort } from './provider-options.ts'
import { openStore, STORE_OPTION, withStore } from './store/open-store.ts'

interface StudioCommandOptions {
  readonly port?: number
  readonly open: boolean
  readonly store?: string
  readonly json?: boolean
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('studio')
      .description(
        'Starts the studio, a web page for this machine: chat, stored conversations and their branches, what every provider ' +
          'receives (the lens), stream playback, and the requests of a gateway. Without keys, a demo model answers.',
      )
      .option(
        '--port <number>',
        'the port; 0 for a free one (default: 4870, or a free one if it is in use)',
        parsePort,
      )
      .option('--no-open', 'print the URL without opening a browser')
      .option(...STORE_OPTION)
      .option('--json', 'print the URL as JSON')
      .action((options: StudioCommandOptions) => runStudio(options, terminal)),
    [
      ['Open the studio', 'interlingua studio'],
      ['With another store, on a free port', 'interlingua studio --store work.db --port 0'],
    ],
  )
}

async function runStudio(
  { port, open, store, json }: StudioCommandOptions,
  terminal: Terminal,
): Promise<void> {
  await withStore(openStore(store, terminal), async ({ storage }) => {
    const server = await startStudio({ storage, ...(port !== undefined && { port }) })
    try {
      if (json === true) await printJson(terminal, { type: 'listening', url: server.url })
      else await printLine(terminal, `The studio is open at ${server.url}`)
      if (open && canOpenBrowser(terminal)) openBrowser(server.url)
      if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
    } finally {
      await server.close()
    }
  })
}

/** Tests whether a person watches the terminal: a script or a CI machine has no browser to open. */
function canOpenBrowser({ stdout, environment }: Terminal): boolean {
  return stdout.isTTY === true && (environment['CI'] ?? '') === ''
}

/** The commands that open a URL in the browser of the user, by platform. */
const OPENERS: { readonly [platform: string]: readonly [command: string, ...args: string[]] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens a URL in the browser, if there is one; the URL was printed in any case. */
function openBrowser(url: string): void {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}
