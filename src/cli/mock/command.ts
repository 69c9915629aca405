import { once } from 'node:events'
import { Command, InvalidArgumentError } from 'commander'
import { type MockRequest, type MockServer, startMockServer } from '../../testing/providers/index.ts'
import type { RecordedAnswer } from '../../testing/providers/provider-answers.ts'
import type { Fault } from '../../testing/providers/faults.ts'
import { addCommandExamples } from '../command-examples.ts'
import { printJson, printLine, printLines, type Terminal } from '../command-io.ts'
import { CommandExit } from '../exit-codes.ts'
import { parsePort } from '../provider-options.ts'
import { createColorizer, formatTable } from '../terminal-text.ts'
import { readSubjects } from '../verify/verify-subject.ts'

interface MockCommandOptions {
  readonly port: number
  readonly host: string
  readonly faults?: readonly (Fault | null)[]
  readonly models?: readonly string[]
  readonly key: boolean
  readonly json?: boolean
}

export function createCommand(terminal: Terminal): Command {
  return addCommandExamples(
    new Command('mock')
      .description(
        'Starts a local server that behaves like every provider: it refuses what the provider of each dialect refuses, in its ' +
          'status, form and words, and answers and streams like it. Point an SDK or an agent program at it, for tests without ' +
          'keys and costs. The answers are those of the given recordings, then those of the demo model.',
      )
      .argument(
        '[recordings...]',
        'recorded responses or streams, each sent to the next request of its dialect',
      )
      .option('--port <number>', 'the port; 0 for a free one', parsePort, 4010)
      .option('--host <name>', 'the address to listen on', '127.0.0.1')
      .option(
        '--faults <list>',
        'a failure for each request: ok, 429, 429:2 (seconds), cut:3 (chunks), stall:3, malformed, slow:50 (ms)',
        parseFaults,
      )
      .option('--models <names>', 'the models that exist, separated by commas (default: all)', (text) =>
        text.split(','),
      )
      .option('--no-key', 'accept requests without an API key')
      .option('--json', 'print one JSON object per request')
      .action((files: readonly string[], options: MockCommandOptions) => runMock(files, options, terminal)),
    [
      ['Start the server', 'interlingua mock'],
      ['Refuse the first request, and cut off the second response', 'interlingua mock --faults 429:1,cut:2'],
      ['Replay a recorded answer', 'interlingua mock answer.sse'],
    ],
  )
}

/** What a fault's name means, and its number if it has one. */
const FAULT_READERS: { readonly [name: string]: (number: number | undefined) => Fault | null } = {
  ok: () => null,
  cut: (afterChunks) => ({ type: 'cut', ...(afterChunks !== undefined && { afterChunks }) }),
  stall: (afterChunks) => ({ type: 'stall', ...(afterChunks !== undefined && { afterChunks }) }),
  malformed: () => ({ type: 'malformed' }),
  slow: (delayMs = 100) => ({ type: 'slow', delayMs }),
}

function parseFaults(text: string): readonly (Fault | null)[] {
  return text.split(',').map((item) => {
    const [, name = '', digits] = /^([a-z]+|[45]\d\d)(?::(\d+(?:\.\d+)?))?$/.exec(item.trim()) ?? []
    const number = digits === undefined ? undefined : Number(digits)
    const status = Number(name)
    if (status >= 400)
      return { type: 'error', status, ...(number !== undefined && { retryAfterSeconds: number }) }
    const read = Object.hasOwn(FAULT_READERS, name) ? FAULT_READERS[name] : undefined
    if (read === undefined)
      throw new InvalidArgumentError(
        `\`${item}\` is not a failure. Use ${Object.keys(FAULT_READERS).join(', ')} or a status from 400 to 599.`,
      )
    return read(number)
  })
}

async function runMock(
  files: readonly string[],
  options: MockCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { port, host, faults, models, key, json = false } = options
  const recordings = await readRecordings(files, terminal)
  const server = await startMockServer({
    port,
    host,
    recordings,
    requiresKey: key,
    ...(faults && { faults }),
    ...(models && { models }),
    onRequest: (request) => void logRequest(request, json, terminal).catch(() => {}),
  })
  try {
    if (!json) await printLines(terminal, formatAddresses(server, terminal))
    else await printJson(terminal, { type: 'listening', url: server.url })
    if (!terminal.signal.aborted) await once(terminal.signal, 'abort')
  } finally {
    await server.close()
  }
}

/** Reads recorded answers; a file without one is an error, since its request would get another answer. */
async function readRecordings(
  files: readonly string[],
  terminal: Terminal,
): Promise<readonly RecordedAnswer[]> {
  const recordings: RecordedAnswer[] = []
  for (const file of files) {
    const before = recordings.length
    for await (const { location, subject, error } of readSubjects(file, {}, terminal)) {
      if (error !== undefined)
        throw error instanceof Error ? error : new CommandExit('input', `${location} cannot be read`)
      if (subject?.kind === 'stream') recordings.push({ dialect: subject.name, body: subject.wire })
      if (subject?.kind === 'response' && subject.name !== 'interlingua')
        recordings.push({ dialect: subject.name, body: JSON.stringify(subject.wire) })
    }
    if (recordings.length === before)
      throw new CommandExit('input', `${file} contains no response or stream of a provider`)
  }
  return recordings
}

/** The settings that point official clients at the server. */
const CLIENT_SETTINGS: readonly (readonly [client: string, variable: string, path: string])[] = [
  ['OpenAI', 'OPENAI_BASE_URL', '/v1'],
  ['Anthropic', 'ANTHROPIC_BASE_URL', ''],
  ['Gemini', 'GOOGLE_GEMINI_BASE_URL', ''],
  ['Ollama', 'OLLAMA_HOST', ''],
]

function formatAddresses({ url }: MockServer, terminal: Terminal): readonly string[] {
  const paint = createColorizer(terminal, terminal.stdout)
  return [
    `The mock provider listens on ${paint('cyan', url)}. Press Ctrl-C to stop it.`,
    '',
    ...formatTable(CLIENT_SETTINGS.map(([client, variable, path]) => [client, `${variable}=${url}${path}`])),
    '',
  ]
}

function logRequest(
  { status, dialect, model, path, isStreamed, problems }: MockRequest & { readonly status: number },
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  if (json)
    return printJson(terminal, { type: 'request', status, dialect, model, path, isStreamed, problems })
  const paint = createColorizer(terminal, terminal.stdout)
  const [problem] = problems
  const reason = problem === undefined ? '' : `  ${problem.message.trim()}`
  const color = status < 400 ? 'green' : 'red'
  return printLine(
    terminal,
    `${paint(color, String(status))}  ${dialect}  ${model}${isStreamed ? '  stream' : ''}${paint('dim', reason)}`,
  )
}
