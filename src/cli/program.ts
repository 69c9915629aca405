import { Command, CommanderError } from 'commander'
import { CommandExit, getExitCode, type ExitName } from './exit-codes.ts'
import { getExitName, errorToJson, getHint, formatReason } from './error-output.ts'
import { createColorizer, escapeControlCharacters } from './terminal-text.ts'
import { printNotice, type Terminal, readPackageVersion } from './command-io.ts'

/** A command as the help shows it; what it needs is loaded only when it is run. */
interface CommandEntry {
  readonly summary: string
  readonly load: () => Promise<(terminal: Terminal) => Command>
}

/** The commands, in the order in which the help shows them. */
const COMMANDS: { readonly [name: string]: CommandEntry } = {
  demo: {
    summary: 'see it all work, offline, in a minute',
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
    summary: 'push conversations through every pair of formats',
    load: async () => (await import('./verify/command.ts')).createVerifyCommand,
  },
  chat: {
    summary: 'talk to any model, and switch models in mid-conversation',
    load: async () => (await import('./chat/command.ts')).createChatCommand,
  },
  store: {
    summary: 'list, show, export, import, verify and prune kept conversations',
    load: async () => (await import('./store/command.ts')).createStoreCommand,
  },
  dialects: {
    summary: 'list the wire formats',
    load: async () => (await import('./dialects-command.ts')).createDialectsCommand,
  },
  providers: {
    summary: 'list the providers, and which have a key',
    load: async () => (await import('./providers-command.ts')).createProvidersCommand,
  },
  doctor: {
    summary: 'say what is set up, what answers, and what to do next',
    load: async () => (await import('./doctor/command.ts')).createDoctorCommand,
  },
  completion: {
    summary: 'print the completion script of a shell',
    load: async () => (await import('./completion-command.ts')).createCompletionCommand,
  },
}

/** The whole command line of `interlingua`; with the words of a call, only what that call needs of it. */
export async function createProgram(terminal: Terminal, words?: readonly string[]): Promise<Command> {
  const called = words?.find((word) => Object.hasOwn(COMMANDS, word))
  // Completion knows them all.
  const all = words === undefined || called === 'completion'
  const program = new Command('interlingua')
    .description('One conversation, every model: translate, inspect, verify and keep LLM conversations.')
    .version(readPackageVersion())
    .showHelpAfterError('(--help shows what there is)')
    .helpCommand(false)
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = all || name === called ? (await load())(terminal) : new Command(name)
    program.addCommand(command.summary(summary))
  }
  for (const command of listCommands(program)) redirectOutput(command, terminal, isJsonRequested(words))
  return program
}

/** Whether a program reads what we say, errors included. */
function isJsonRequested(words: readonly string[] = []): boolean {
  return words.includes('--json')
}

/** A command and all below it. */
export function listCommands(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(listCommands)]
}

/** Commander writes to us and never ends the process; what it says of errors is told as JSON where a program reads it. */
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

/** Runs a command line to its end, and gives the exit code. It never rejects. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await createProgram(terminal, words)
    await program.parseAsync([...words], { from: 'user' })
    return getExitCode((await getInterruption(words, terminal)) ?? 'ok')
  } catch (error) {
    return getExitCode(await handleError(error, words, terminal))
  }
}

/** Why a command ended that did not end well; what the user must know is told. */
async function handleError(error: unknown, words: readonly string[], terminal: Terminal): Promise<ExitName> {
  if (error instanceof CommanderError && error.exitCode === 0) return 'ok'
  const interrupted = await getInterruption(words, terminal)
  if (interrupted !== undefined) return interrupted
  // Commander and commands that end by themselves have said what they had to say.
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
  const said = `${label}: ${formatReason(error)}${hint === undefined ? '' : `\n${hint}`}`
  await printNotice(
    terminal,
    isJsonRequested(words) ? JSON.stringify({ type: 'error', ...errorToJson(error) }) : said,
  )
}

/** Why everything was ended from outside, if it was; a reason that nobody knows yet is told. */
async function getInterruption(words: readonly string[], terminal: Terminal): Promise<ExitName | undefined> {
  const { aborted, reason } = terminal.signal as { readonly aborted: boolean; readonly reason: unknown }
  if (!aborted) return undefined
  if (!(reason instanceof CommandExit)) return 'interrupted'
  if (reason.message !== '') await printError(reason, words, terminal)
  return reason.exitName
}
