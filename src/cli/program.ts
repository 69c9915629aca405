import { Command, CommanderError } from 'commander'
import { CommandExit, getExitCode, type ExitName } from './exit-codes.ts'
import { getExitName, errorToJson, getHint, formatReason } from './error-output.ts'
import { createColorizer, escapeControlCharacters } from './terminal-text.ts'
import { printNotice, type Terminal, readPackageVersion } from './command-io.ts'

/** A command in the help; its modules are loaded only when it runs. */
interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<(terminal: Terminal) => Command>
}

/** The commands, in the order of the help. */
const COMMANDS: { readonly [name: string]: CommandEntry } = {
  demo: {
    summary: 'take a guided tour, offline, in a minute',
    load: async () => (await import('./demo/command.ts')).createDemoCommand,
  },
  convert: {
    summary: 'translate requests, responses, streams and stored conversations',
    load: async () => (await import('./convert/command.ts')).createConvertCommand,
  },
  inspect: {
    summary: 'show a conversation: roles, tools, reasoning, usage, problems',
    load: async () => (await import('./inspect/command.ts')).createInspectCommand,
  },
  verify: {
    summary: 'test translations between every pair of formats',
    load: async () => (await import('./verify/command.ts')).createVerifyCommand,
  },
  chat: {
    summary: 'chat with any model, and switch models mid-conversation',
    load: async () => (await import('./chat/command.ts')).createChatCommand,
  },
  store: {
    summary: 'list, show, export, import, verify and prune stored conversations',
    load: async () => (await import('./store/command.ts')).createStoreCommand,
  },
  dialects: {
    summary: 'list the dialects (wire formats)',
    load: async () => (await import('./dialects-command.ts')).createDialectsCommand,
  },
  providers: {
    summary: 'list the providers, and which are configured',
    load: async () => (await import('./providers-command.ts')).createProvidersCommand,
  },
  doctor: {
    summary: 'check your setup, and see what to do next',
    load: async () => (await import('./doctor/command.ts')).createDoctorCommand,
  },
  completion: {
    summary: 'print a shell completion script',
    load: async () => (await import('./completion-command.ts')).createCompletionCommand,
  },
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
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = all || name === called ? (await load())(terminal) : new Command(name)
    program.addCommand(command.summary(summary))
  }
  for (const command of listCommands(program)) redirectOutput(command, terminal, isJsonRequested(words))
  return program
}

/** Tests whether the output, errors included, must be JSON. */
function isJsonRequested(words: readonly string[] = []): boolean {
  return words.includes('--json')
}

/** Returns a command and all its subcommands. */
export function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(listCommands)]
}

/**
 * Makes Commander write to the terminal's streams and throw instead of exiting. With `json`, its error text
 * is suppressed and printed as JSON later.
 */
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

/** Runs a command line and returns its exit code. Never rejects. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await createProgram(terminal, words)
    await program.parseAsync([...words], { from: 'user' })
    return getExitCode((await getInterruption(words, terminal)) ?? 'ok')
  } catch (error) {
    return getExitCode(await handleError(error, words, terminal))
  }
}

/** Prints an error that has not been printed yet, and returns its exit name. */
async function handleError(error: unknown, words: readonly string[], terminal: Terminal): Promise<ExitName> {
  if (error instanceof CommanderError && error.exitCode === 0) return 'ok'
  const interrupted = await getInterruption(words, terminal)
  if (interrupted !== undefined) return interrupted
  // Commander, and commands that throw an exit without a message, have printed their errors already.
  const isReported =
    error instanceof CommanderError
      ? !isJsonRequested(words)
      : error instanceof CommandExit && error.message === ''
  if (!isReported) await printError(error, words, terminal)
  return error instanceof CommanderError ? 'usage' : getExitName(error)
}

async function printError(error: unknown, words: readonly string[], terminal: Terminal): Promise<void> {
  const hint = getHint(error)
  const label = createColorizer(terminal, terminal.stderr)('red', 'error')
  const text = `${label}: ${formatReason(error)}${hint === undefined ? '' : `\n${hint}`}`
  await printNotice(
    terminal,
    isJsonRequested(words) ? JSON.stringify({ type: 'error', ...errorToJson(error) }) : text,
  )
}

/**
 * Returns the exit name if the terminal's signal aborted the command; prints the reason if it has a message.
 */
async function getInterruption(words: readonly string[], terminal: Terminal): Promise<ExitName | undefined> {
  const { aborted, reason } = terminal.signal as { readonly aborted: boolean; readonly reason: unknown }
  if (!aborted) return undefined
  if (!(reason instanceof CommandExit)) return 'interrupted'
  if (reason.message !== '') await printError(reason, words, terminal)
  return reason.exitName
}
