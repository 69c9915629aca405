import { Command } from 'commander'
import { Exit } from '../exit-codes.ts'
import { examples } from '../examples.ts'
import { paintFor } from '../paint.ts'
import { STORE_OPTION } from '../store/open.ts'
import { table } from '../table.ts'
import { say, sayJson, type Terminal } from '../terminal.ts'
import { type Check, packageChecks, providerChecks, runtimeChecks, storeCheck } from './checks.ts'

interface DoctorOptions {
  readonly store?: string
  readonly offline?: boolean
  readonly json?: boolean
}

export function doctorCommand(terminal: Terminal): Command {
  return examples(
    new Command('doctor')
      .description(
        'Looks at Node, the store, optional packages and every provider: those with a key are asked for their models, which ' +
          'costs nothing. Exit code 5 where something that is set up does not work.',
      )
      .option('--offline', 'ask nobody')
      .option(...STORE_OPTION)
      .option('--json', 'as JSON')
      .action((options: DoctorOptions) => doctor(options, terminal)),
    [['What works here', 'interlingua doctor --offline']],
  )
}

const COLOURS = { ok: 'green', off: 'dim', broken: 'red' } as const

async function doctor({ store, offline, json }: DoctorOptions, terminal: Terminal): Promise<void> {
  const asked = await providerChecks(terminal, offline === true)
  const checks = [...runtimeChecks(), await storeCheck(store, terminal), ...packageChecks(), ...asked]
  const next = nextSteps(checks, asked)
  if (json === true) await sayJson(terminal, { checks, next })
  else {
    const paint = paintFor(terminal, terminal.stdout)
    const rows = [...checks.filter(isTelling), ...unset(checks)].map(({ name, state, detail }) => [
      paint(COLOURS[state], state),
      name,
      detail,
    ])
    for (const line of table(rows)) await say(terminal, line)
    await say(terminal, `\n${paint('bold', 'Next')}`)
    for (const step of next) await say(terminal, `- ${step}`)
  }
  if (checks.some(({ state }) => state === 'broken')) throw new Exit('broken')
}

/** Whether a check is worth a line of its own: providers that nobody has set up share one. */
function isTelling({ state, detail }: Check): boolean {
  return state !== 'off' || !/^no (key|address)/.test(detail)
}

function unset(checks: readonly Check[]): readonly Check[] {
  const names = checks.filter((check) => !isTelling(check)).map(({ name }) => name)
  return names.length === 0 ? [] : [{ name: 'no key', state: 'off', detail: names.join(', ') }]
}

/** What a newcomer should do, the most urgent first. */
function nextSteps(checks: readonly Check[], asked: readonly Check[]): readonly string[] {
  const broken = checks.flatMap(({ name, state, next, detail }) =>
    state === 'broken' ? [`${name}: ${next ?? detail}`] : [],
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
