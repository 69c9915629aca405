import { Command, CommanderError } from 'commander'
import { Exit, exitCode, type ExitName } from './exit-codes.ts'
import { exitOf, failureJson, hintOf, reasonOf } from './failure.ts'
import { paintFor, printable } from './paint.ts'
import { tell, type Terminal } from './terminal.ts'
import { version } from './version.ts'

/** A command as the help shows it; what it needs is loaded only when it is run. */
interface Listed {
  readonly summary: string
  readonly load: () => Promise<(terminal: Terminal) => Command>
}

/** The commands, in the order in which the help shows them. */
const COMMANDS: { readonly [name: string]: Listed } = {
  demo: {
    summary: 'see it all work, offline, in a minute',
    load: async () => (await import('./demo/command.ts')).demoCommand,
  },
  convert: {
    summary: 'translate requests, responses, streams and stored conversations',
    load: async () => (await import('./convert/command.ts')).convertCommand,
  },
  inspect: {
    summary: 'show a conversation: roles, tools, reasoning, usage, problems',
    load: async () => (await import('./inspect/command.ts')).inspectCommand,
  },
  verify: {
    summary: 'push conversations through every pair of formats',
    load: async () => (await import('./verify/command.ts')).verifyCommand,
  },
  chat: {
    summary: 'talk to any model, and switch models in mid-conversation',
    load: async () => (await import('./chat/command.ts')).chatCommand,
  },
  store: {
    summary: 'list, show, export, import, verify and prune kept conversations',
    load: async () => (await import('./store/command.ts')).storeCommand,
  },
  dialects: {
    summary: 'list the wire formats',
    load: async () => (await import('./dialects.ts')).dialectsCommand,
  },
  providers: {
    summary: 'list the providers, and which have a key',
    load: async () => (await import('./providers.ts')).providersCommand,
  },
  doctor: {
    summary: 'say what is set up, what answers, and what to do next',
    load: async () => (await import('./doctor/command.ts')).doctorCommand,
  },
  completion: {
    summary: 'print the completion script of a shell',
    load: async () => (await import('./completion.ts')).completionCommand,
  },
}

/** The whole command line of `interlingua`; with the words of a call, only what that call needs of it. */
export async function programFor(terminal: Terminal, words?: readonly string[]): Promise<Command> {
  const called = words?.find((word) => Object.hasOwn(COMMANDS, word))
  // Completion knows them all.
  const all = words === undefined || called === 'completion'
  const program = new Command('interlingua')
    .description('One conversation, every model: translate, inspect, verify and keep LLM conversations.')
    .version(version())
    .showHelpAfterError('(--help shows what there is)')
    .helpCommand(false)
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = all || name === called ? (await load())(terminal) : new Command(name)
    program.addCommand(command.summary(summary))
  }
  for (const command of everyCommand(program)) quieten(command, terminal, isJson(words))
  return program
}

/** Whether a program reads what we say, errors included. */
function isJson(words: readonly string[] = []): boolean {
  return words.includes('--json')
}

/** A command and all below it. */
export function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}

/** Commander writes to us and never ends the process; what it says of errors is told as JSON where a program reads it. */
function quieten(command: Command, { stdout, stderr }: Terminal, json: boolean): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => json || stderr.write(printable(text)),
      getOutHelpWidth: () => Math.min(stdout.columns ?? 100, 100),
      getErrHelpWidth: () => Math.min(stderr.columns ?? 100, 100),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .configureHelp({ showGlobalOptions: false })
}

/** Runs a command line to its end, and gives the exit code. It never rejects. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const program = await programFor(terminal, words)
    await program.parseAsync([...words], { from: 'user' })
    return exitCode((await interruption(words, terminal)) ?? 'ok')
  } catch (error) {
    return exitCode(await ended(error, words, terminal))
  }
}

/** Why a command ended that did not end well; what the user must know is told. */
async function ended(error: unknown, words: readonly string[], terminal: Terminal): Promise<ExitName> {
  if (error instanceof CommanderError && error.exitCode === 0) return 'ok'
  const interrupted = await interruption(words, terminal)
  if (interrupted !== undefined) return interrupted
  // Commander and commands that end by themselves have said what they had to say.
  const isTold =
    error instanceof CommanderError ? !isJson(words) : error instanceof Exit && error.message === ''
  if (!isTold) await tellError(error, words, terminal)
  return error instanceof CommanderError ? 'usage' : exitOf(error)
}

async function tellError(error: unknown, words: readonly string[], terminal: Terminal): Promise<void> {
  const hint = hintOf(error)
  const label = paintFor(terminal, terminal.stderr)('red', 'error')
  const said = `${label}: ${reasonOf(error)}${hint === undefined ? '' : `\n${hint}`}`
  await tell(terminal, isJson(words) ? JSON.stringify({ type: 'error', ...failureJson(error) }) : said)
}

/** Why everything was ended from outside, if it was; a reason that nobody knows yet is told. */
async function interruption(words: readonly string[], terminal: Terminal): Promise<ExitName | undefined> {
  const { aborted, reason } = terminal.signal as { readonly aborted: boolean; readonly reason: unknown }
  if (!aborted) return undefined
  if (!(reason instanceof Exit)) return 'interrupted'
  if (reason.message !== '') await tellError(reason, words, terminal)
  return reason.exit
}
