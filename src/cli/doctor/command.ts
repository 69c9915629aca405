import { Argument, Command } from 'commander'
import { restrictTo } from '../input/format-options.ts'
import { CommandExit } from '../exit-codes.ts'
import { addCommandExamples } from '../command-examples.ts'
import { createColorizer, formatTable } from '../terminal-text.ts'
import { type ProviderName, providerTable } from '../../providers/provider-table.ts'
import { createBaseUrlOption } from '../provider-options.ts'
import { STORE_OPTION, type StoreOptions } from '../store/open-store.ts'
import { printLines, printJson, type Terminal } from '../command-io.ts'
import {
  type SetupCheckResult,
  checkPackages,
  checkProviders,
  checkRuntime,
  checkStore,
} from './setup-checks.ts'

interface DoctorOptions extends StoreOptions {
  readonly baseUrl?: string
  readonly offline?: boolean
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('doctor')
      .description(
        'Checks Node, the store, optional packages and every provider. Providers with a key are asked for their list of models, ' +
          'which is free. Exit code 5 if something that is configured does not work, or the given provider is not configured.',
      )
      .addArgument(
        restrictTo(new Argument('[provider]', 'the only provider to check'), Object.keys(providerTable)),
      )
      .addOption(createBaseUrlOption())
      .option('--offline', 'send nothing over the network')
      .option(...STORE_OPTION)
      .option('--json', 'print JSON')
      .action((provider: ProviderName | undefined, options: DoctorOptions) =>
        runDoctor(provider, options, terminal),
      ),
    [
      ['Check without network access', 'interlingua doctor --offline'],
      [
        'Check one provider at another URL',
        'interlingua doctor openai --base-url http://127.0.0.1:8000/v1 --offline',
      ],
    ],
  )
}

const STATE_COLORS = { ok: 'green', 'not-configured': 'dim', broken: 'red' } as const

async function runDoctor(
  provider: ProviderName | undefined,
  { store, offline = false, json, baseUrl }: DoctorOptions,
  terminal: Terminal,
): Promise<void> {
  if (baseUrl !== undefined && provider === undefined)
    throw new CommandExit(
      'usage',
      '--base-url needs the name of a provider: interlingua doctor <provider> --base-url <url>.',
    )
  const providerChecks = await checkProviders(terminal, { offline, provider, baseUrl })
  const checks = [...checkRuntime(), await checkStore(store, terminal), ...checkPackages(), ...providerChecks]
  const next = listNextSteps(checks, providerChecks)
  if (json === true) await printJson(terminal, { checks, next })
  else {
    const paint = createColorizer(terminal, terminal.stdout)
    const rows = [...checks.filter(isConfigured), ...summarizeUnconfigured(checks)].map(
      ({ name, state, detail }) => [paint(STATE_COLORS[state], state), name, detail],
    )
    await printLines(terminal, [
      ...formatTable(rows),
      '',
      paint('bold', 'Next'),
      ...next.map((step) => `- ${step}`),
    ])
  }
  if (checks.some(({ state }) => state === 'broken')) throw new CommandExit('check-failed')
}

/** Returns false for providers without a key or base URL; these share one line of the table. */
function isConfigured({ state, detail }: SetupCheckResult): boolean {
  return state !== 'not-configured' || !/^no (key|base URL)/.test(detail)
}

function summarizeUnconfigured(checks: readonly SetupCheckResult[]): readonly SetupCheckResult[] {
  const names = checks.filter((check) => !isConfigured(check)).map(({ name }) => name)
  return names.length === 0 ? [] : [{ name: 'no key', state: 'not-configured', detail: names.join(', ') }]
}

/** Returns what to do next, the most urgent first. */
function listNextSteps(
  all: readonly SetupCheckResult[],
  providers: readonly SetupCheckResult[],
): readonly string[] {
  const broken = all.flatMap(({ name, state, nextStep, detail }) =>
    state === 'broken' ? [`${name}: ${nextStep ?? detail}`] : [],
  )
  const ready = providers.find(({ state, name }) => state === 'ok' && !name.startsWith('ollama'))
  const chatSteps =
    ready === undefined
      ? [
          'Chat with the demo model, which needs no key: interlingua chat',
          'To use a real model, set its API key, such as ANTHROPIC_API_KEY or OPENAI_API_KEY (see interlingua providers), then run this command again.',
        ]
      : [`Chat with a model: interlingua chat --model ${ready.name}:MODEL`]
  return [...broken, ...chatSteps]
}
