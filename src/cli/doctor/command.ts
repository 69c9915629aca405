import { Command } from 'commander'
import { CommandExit } from '../exit-codes.ts'
import { addExamples } from '../command-examples.ts'
import { createColorizer, formatTable } from '../terminal-text.ts'
import { STORE_OPTION } from '../store/open-store.ts'
import { printLine, printJson, type Terminal } from '../command-io.ts'
import { type SetupCheck, checkPackages, checkProviders, checkRuntime, checkStore } from './setup-checks.ts'

interface DoctorOptions {
  readonly store?: string
  readonly offline?: boolean
  readonly json?: boolean
}

export function createDoctorCommand(terminal: Terminal): Command {
  return addExamples(
    new Command('doctor')
      .description(
        'Looks at Node, the store, optional packages and every provider: those with a key are asked for their models, which ' +
          'costs nothing. Exit code 5 where something that is set up does not work.',
      )
      .option('--offline', 'ask nobody')
      .option(...STORE_OPTION)
      .option('--json', 'as JSON')
      .action((options: DoctorOptions) => runDoctor(options, terminal)),
    [['What works here', 'interlingua doctor --offline']],
  )
}

const STATE_COLORS = { ok: 'green', off: 'dim', broken: 'red' } as const

async function runDoctor({ store, offline, json }: DoctorOptions, terminal: Terminal): Promise<void> {
  const asked = await checkProviders(terminal, offline === true)
  const checks = [...checkRuntime(), await checkStore(store, terminal), ...checkPackages(), ...asked]
  const next = listNextSteps(checks, asked)
  if (json === true) await printJson(terminal, { checks, next })
  else {
    const paint = createColorizer(terminal, terminal.stdout)
    const rows = [...checks.filter(isConfigured), ...summarizeUnconfigured(checks)].map(
      ({ name, state, detail }) => [paint(STATE_COLORS[state], state), name, detail],
    )
    for (const line of formatTable(rows)) await printLine(terminal, line)
    await printLine(terminal, `\n${paint('bold', 'Next')}`)
    for (const step of next) await printLine(terminal, `- ${step}`)
  }
  if (checks.some(({ state }) => state === 'broken')) throw new CommandExit('broken')
}

/** Whether a check is worth a line of its own: providers that nobody has set up share one. */
function isConfigured({ state, detail }: SetupCheck): boolean {
  return state !== 'off' || !/^no (key|address)/.test(detail)
}

function summarizeUnconfigured(checks: readonly SetupCheck[]): readonly SetupCheck[] {
  const names = checks.filter((check) => !isConfigured(check)).map(({ name }) => name)
  return names.length === 0 ? [] : [{ name: 'no key', state: 'off', detail: names.join(', ') }]
}

/** What a newcomer should do, the most urgent first. */
function listNextSteps(checks: readonly SetupCheck[], asked: readonly SetupCheck[]): readonly string[] {
  const broken = checks.flatMap(({ name, state, nextStep, detail }) =>
    state === 'broken' ? [`${name}: ${nextStep ?? detail}`] : [],
  )
  const ready = asked.find(({ state, name }) => state === 'ok' && !name.startsWith('ollama'))
  const talk =
    ready === undefined
      ? [
          'Talk to the model that needs no key: interlingua chat',
          'For a real one set a key, such as ANTHROPIC_API_KEY or OPENAI_API_KEY (interlingua providers), and run this again.',
        ]
      : [`Talk to a model: interlingua chat --model ${ready.name}:MODEL`]
  return [...broken, ...talk]
}
