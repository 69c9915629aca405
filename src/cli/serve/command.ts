import { once } from 'node:events'
import { unwatchFile, watchFile } from 'node:fs'
import { Command, Option } from 'commander'
import { restrictTo } from '../input/format-options.ts'
import { DEFAULT_ROUTES, type GatewayConfig } from '../../gateway/config.ts'
import { createGateway } from '../../gateway/gateway.ts'
import type { GatewayLogEntry } from '../../gateway/log-entry.ts'
import { startGateway } from '../../gateway/node/start-gateway.ts'
import { toTypedError } from '../../wire/typed-errors.ts'
import { addCommandExamples } from '../command-examples.ts'
import { printJson, printLine, printLines, printNotice, type Terminal } from '../command-io.ts'
import { parsePort } from '../provider-options.ts'
import { createRegistryOption, getRegistry } from '../registry.ts'
import { createColorizer } from '../terminal-text.ts'
import { formatSetup, PROGRAM_NAMES, type ProgramName } from './program-setups.ts'
import { ConfigFile } from './config-file.ts'

/** How often the configuration file is looked at. */
const WATCH_INTERVAL_MS = 500

interface ServeOptions {
  readonly config?: string
  readonly to?: string
  readonly port: number
  readonly host: string
  readonly check?: boolean
  readonly for?: ProgramName
  readonly json?: boolean
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('serve')
      .description(
        'Starts a gateway: the endpoints of every dialect in front of any provider. Point an SDK or an agent program at it; the ' +
          'provider is selected by the model name. Without a configuration, `provider:model` names are sent to their providers, and ' +
          'names of known vendors to them; keys of providers are read from the environment.',
      )
      .option('-c, --config <file>', 'the configuration as JSON: routes, providers, keys, limits')
      .option('--to <model>', 'send the requests for all model names to this model: provider:model, or demo')
      .option('--port <number>', 'the port; 0 for a free one', parsePort, 4000)
      .option('--host <name>', 'the address to listen on; others than this machine need keys', '127.0.0.1')
      .option('--check', 'check the configuration and exit')
      .addOption(
        restrictTo(
          new Option('--for <program>', 'print how to point a program at the gateway'),
          PROGRAM_NAMES,
        ),
      )
      .addOption(createRegistryOption())
      .option('--json', 'print one JSON object per request')
      .action((options: ServeOptions) => runServe(options, terminal)),
    [
      ['Start the gateway for the providers whose keys are in the environment', 'interlingua serve'],
      ['Answer every request with one model', 'interlingua serve --to ollama:llama3.2'],
      ['Try it offline, with the demo model', 'interlingua serve --to demo'],
      ['With routes, fallbacks and keys', 'interlingua serve --config gateway.json'],
      ['How to point Claude Code at it', 'interlingua serve --for claude-code'],
    ],
  )
}

async function runServe(options: ServeOptions, terminal: Terminal): Promise<void> {
  const { host, port, json = false } = options
  if (options.for !== undefined)
    return printLines(terminal, formatSetup(options.for, `http://${host}:${port}`))
  const file = options.config === undefined ? undefined : new ConfigFile(options.config, terminal)
  try {
    const config = await createConfig(options, file, terminal)
    if (options.check === true) {
      createGateway(config)
      return await printLine(terminal, `The configuration is valid: ${countRoutes(config.routes)}.`)
    }
    const server = await startGateway(config, { port, host })
    const stopWatching = watchConfig(file, terminal, async () => {
      const changed = await createConfig(options, file, terminal)
      try {
        server.reload(changed)
      } catch (error) {
        changed.onRetired?.()
        throw error
      }
    })
    try {
      if (json) await printJson(terminal, { type: 'listening', url: server.url })
      else await printLines(terminal, formatStart(server.url, config, terminal))
      if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
    } finally {
      await stopWatching()
      await server.close()
    }
  } finally {
    await file?.close()
  }
}

async function createConfig(
  { to, json = false }: ServeOptions,
  file: ConfigFile | undefined,
  terminal: Terminal,
): Promise<GatewayConfig> {
  const given = (await file?.read()) ?? { routes: DEFAULT_ROUTES }
  const registry = getRegistry()
  return {
    ...given,
    ...(to !== undefined && { routes: [{ model: '*', to }] }),
    ...(registry && { registry }),
    onRequest: (entry) => void logRequest(entry, json, terminal).catch(() => {}),
    onError: ({ message, hint }) =>
      void printNotice(terminal, `error: ${message}${hint === undefined ? '' : `\n${hint}`}`).catch(() => {}),
  }
}

/** Reads the configuration again after a change of its file and after SIGHUP. A mistake in it leaves the old one in use. */
function watchConfig(
  file: ConfigFile | undefined,
  terminal: Terminal,
  reload: () => Promise<void>,
): () => Promise<void> {
  if (file === undefined) return async () => {}
  let last = Promise.resolve()
  const reloadInOrder = (): void => {
    last = last
      .then(reload)
      .then(() => printNotice(terminal, 'The configuration was read again.'))
      .catch((error: unknown) =>
        printNotice(terminal, `error: The old configuration stays in use. ${toTypedError(error).message}`),
      )
  }
  const stopListening = terminal.onHangup?.(reloadInOrder)
  // Compares times: editors and mounted volumes replace a file instead of changing it, which other watchers do not notice.
  watchFile(file.location, { interval: WATCH_INTERVAL_MS }, reloadInOrder)
  return () => {
    unwatchFile(file.location, reloadInOrder)
    stopListening?.()
    return last
  }
}

function formatStart(url: string, { routes, keys }: GatewayConfig, terminal: Terminal): readonly string[] {
  const paint = createColorizer(terminal, terminal.stdout)
  const access = keys === undefined ? 'without keys, for this machine only' : `for ${keys.length} keys`
  return [
    `The gateway listens on ${paint('cyan', url)}, ${access}, with ${countRoutes(routes)}. Press Ctrl-C to stop it.`,
    '',
  ]
}

function logRequest(entry: GatewayLogEntry, json: boolean, terminal: Terminal): Promise<void> {
  if (json) return printJson(terminal, { type: 'request', ...entry })
  const { status, dialect, model = '', servedBy, durationMs, losses, error } = entry
  const paint = createColorizer(terminal, terminal.stdout)
  const count = Object.values(losses).reduce((sum, each) => sum + each, 0)
  const notes = [
    `${durationMs} ms`,
    ...(count > 0 ? [`${count} losses and notes`] : []),
    ...(error === undefined ? [] : [error]),
  ].join(', ')
  const target = servedBy === undefined ? '' : ` → ${servedBy}`
  const color = status < 400 && error === undefined ? 'green' : 'red'
  return printLine(
    terminal,
    `${paint(color, String(status))}  ${dialect}  ${model}${target}  ${paint('dim', notes)}`,
  )
}

function countRoutes({ length }: readonly unknown[]): string {
  return `${length} ${length === 1 ? 'route' : 'routes'}`
}
