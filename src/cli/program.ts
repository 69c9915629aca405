import { Command, CommanderError } from 'commander'
import { chatCommand } from './chat/command.ts'
import { completionCommand } from './completion.ts'
import { convertCommand } from './convert/command.ts'
import { demoCommand } from './demo/command.ts'
import { dialectsCommand } from './dialects.ts'
import { doctorCommand } from './doctor/command.ts'
import { Exit, exitCode, type ExitName } from './exit-codes.ts'
import { exitOf, failureJson, hintOf, reasonOf } from './failure.ts'
import { inspectCommand } from './inspect/command.ts'
import { providersCommand } from './providers.ts'
import { paintFor } from './paint.ts'
import { tell, type Terminal } from './terminal.ts'
import { storeCommand } from './store/command.ts'
import { verifyCommand } from './verify/command.ts'
import { version } from './version.ts'

/** The commands, in the order in which the help shows them. */
const COMMANDS: readonly ((terminal: Terminal) => Command)[] = [
  demoCommand,
  convertCommand,
  inspectCommand,
  verifyCommand,
  chatCommand,
  storeCommand,
  dialectsCommand,
  providersCommand,
  doctorCommand,
  completionCommand,
]

/** The whole command line of `interlingua`. */
export function programFor(terminal: Terminal): Command {
  const program = new Command('interlingua')
    .description('One conversation, every model: translate, inspect, verify and keep LLM conversations.')
    .version(version())
    .showHelpAfterError('(--help shows what there is)')
    .helpCommand(false)
  for (const make of COMMANDS) program.addCommand(make(terminal))
  for (const command of everyCommand(program)) quieten(command, terminal)
  return program
}

/** A command and all below it. */
export function everyCommand(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}

/** Commander writes to us and never ends the process. */
function quieten(command: Command, { stdout, stderr }: Terminal): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
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
    await programFor(terminal).parseAsync([...words], { from: 'user' })
    return exitCode(interruption(terminal) ?? 'ok')
  } catch (error) {
    return exitCode(await ended(error, words, terminal))
  }
}

/** Why a command ended that did not end well; what the user must know is told. */
async function ended(error: unknown, words: readonly string[], terminal: Terminal): Promise<ExitName> {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 'ok' : 'usage'
  const interrupted = interruption(terminal)
  if (interrupted !== undefined) return interrupted
  if (!(error instanceof Exit) || error.message !== '') {
    const paint = paintFor(terminal, terminal.stderr)
    const hint = hintOf(error)
    const said = `${paint('red', 'error')}: ${reasonOf(error)}${hint === undefined ? '' : `\n${hint}`}`
    const json = JSON.stringify({ type: 'error', ...failureJson(error) })
    await tell(terminal, words.includes('--json') ? json : said)
  }
  return exitOf(error)
}

function interruption({ signal }: Terminal): ExitName | undefined {
  if (!signal.aborted) return undefined
  return signal.reason instanceof Exit ? signal.reason.exit : 'interrupted'
}
