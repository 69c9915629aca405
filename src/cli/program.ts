import { Command, CommanderError } from 'commander'
import { CommandExit, getExitCode, type ExitName } from './exit-codes.ts'
import { getExitName, errorToJson, getErrorHint, formatErrorMessage } from './error-output.ts'
import { createColorizer, escapeControlCharacters } from './terminal-text.ts'
import { printNotice, type Terminal, readPackageVersion } from './command-io.ts'

/** The summary of a command for the help, and its module, which is loaded only when it runs. */
type CommandEntry = readonly [
  summary: string,
  load: () => Promise<{ readonly createCommand: (terminal: Terminal) => Command }>,
]

/** The commands, in the order of the help. */
const COMMANDS: { readonly [name: string]: CommandEntry } = {
  studio: [
    'open a local web page: chat, conversations, the request of every provider',
    () => import('./studio-command.ts'),
  ],
  demo: ['take a guided tour, offline, in a minute', () => import('./demo-command.ts')],
  convert: [
    'translate requests, responses, streams and stored conversations',
    () => import('./convert/command.ts'),
  ],
  inspect: [
    'show a conversation: roles, tools, reasoning, usage, problems',
    () => import('./inspect/command.ts'),
  ],
  verify: ['test translations between every pair of formats', () => import('./verify/command.ts')],
  serve: ['start a gateway: a server in front of every provider', () => import('./serve/command.ts')],
  keys: ['create a key for a client of the gateway', () => import('./keys-command.ts')],
  mock: ['start a local server that behaves like every provider', () => import('./mock/command.ts')],
  chat: ['chat with any model, and switch models mid-conversation', () => import('./chat/command.ts')],
  store: [
    'list, show, export, import, verify and prune stored conversations',
    () => import('./store/command.ts'),
  ],
  new: ['write the files of a new dialect', () => import('./new/command.ts')],
  dialects: ['list the dialects (wire formats)', () => import('./dialects-command.ts')],
  providers: ['list the providers, and which are configured', () => import('./providers-command.ts')],
  doctor: ['check your setup, and see what to do next', () => import('./doctor/command.ts')],
  completion: ['print a shell completion script', () => import('./completion-command.ts')],
}

/** Creates the `interlingua` command line. With `words`, only the command they select is loaded. */
export async function createProgram(terminal: Terminal, words?: readonly string[]): Promise<Command> {
  const called = words?.find((word) => Object.hasOwn(COMMANDS, word))
  // The completion script needs all commands.
  const all = words === undefined || called === 'completion'
  const program = new Command('interlingua')
    .description('Translate, inspect, verify and store LLM conversations, for any model.')
    .version(readPackageVersion())
    .showHelpAfterError('(add --help to list commands and options)')
    .helpCommand(false)
  for (const [name, [summary, load]] of Object.entries(COMMANDS)) {
    const command = all || name === called ? (await load()).createCommand(terminal) : new Command(name)
    program.addCommand(command.summary(summary))
  }
  const json = words?.includes('--json') === true
  for (const command of listCommands(program)) redirectOutput(command, terminal, json)
  return program
}

export function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(listCommands)]
}

/** Makes Commander write to the terminal and throw instead of exiting; with `json`, errors are printed later. */
function redirectOutput(command: Command, { stdout, stderr }: Terminal, json: boolean): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => json || stderr.write(escapeControlCharacters(text)),
      getOutHelpWidth: () => Math.min(stdout.columns ?? 100, 100),
      getErrHelpWidth: () => Math.min(stderr.columns ?? 100, 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: false })
}

/** True if a command line of this process has loaded a registry, which the next one must not see. */
let hasRegistry = false

/** Loads the module of `--registry` before the commands, whose options list its dialects. */
async function loadRegistryIfNamed(words: readonly string[], { folder }: Terminal): Promise<void> {
  const isNamed = words.some((word) => /^--registry(=|$)/.test(word))
  if (!isNamed && !hasRegistry) return
  hasRegistry = isNamed
  const { loadRegistryOption } = await import('./registry.ts')
  await loadRegistryOption(words, folder)
}

/** Runs a command line and returns its exit code. Never rejects. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  const json = words.includes('--json')
  try {
    await loadRegistryIfNamed(words, terminal)
    const program = await createProgram(terminal, words)
    await program.parseAsync([...words], { from: 'user' })
    return getExitCode((await getInterruption(json, terminal)) ?? 'ok')
  } catch (error) {
    return getExitCode(await handleError(error, json, terminal))
  }
}

/** Prints an error that has not been printed yet, and returns its exit name. */
async function handleError(error: unknown, json: boolean, terminal: Terminal): Promise<ExitName> {
  if (error instanceof CommanderError && error.exitCode === 0) return 'ok'
  const interrupted = await getInterruption(json, terminal)
  if (interrupted !== undefined) return interrupted
  // Commander, and commands that throw an exit without a message, have printed their errors already.
  const isReported =
    error instanceof CommanderError ? !json : error instanceof CommandExit && error.message === ''
  if (!isReported) await printError(error, json, terminal)
  return error instanceof CommanderError ? 'usage' : getExitName(error)
}

async function printError(error: unknown, json: boolean, terminal: Terminal): Promise<void> {
  if (json) return printNotice(terminal, JSON.stringify({ type: 'error', ...errorToJson(error) }))
  const hint = getErrorHint(error)
  const label = createColorizer(terminal, terminal.stderr)('red', 'error')
  await printNotice(
    terminal,
    `${label}: ${formatErrorMessage(error)}${hint === undefined ? '' : `\n${hint}`}`,
  )
}

/** Returns the exit name if the command was aborted, and prints the reason if it has a message. */
async function getInterruption(json: boolean, terminal: Terminal): Promise<ExitName | undefined> {
  const { aborted, reason } = terminal.signal as { readonly aborted: boolean; readonly reason: unknown }
  if (!aborted) return undefined
  if (!(reason instanceof CommandExit)) return 'interrupted'
  if (reason.message !== '') await printError(reason, json, terminal)
  return reason.exitName
}
