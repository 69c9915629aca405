import { user } from '../../canonical/build/messages.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { dialects } from '../../dialects/dialects.ts'
import type { Dialect } from '../../dialects/engine/dialect.ts'
import { omitUndefined } from '../../wire/json.ts'
import { demoTools } from '../chat-tools.ts'
import { BUSY_MODEL_NAME, type GatewayMonitor } from '../gateway-monitor.ts'
import { type CallTable, readText, type StreamTable } from '../http-api.ts'
import { DEMO_MODEL_NAME } from '../../client/demo-model.ts'

type GatewayCalls = Pick<CallTable, `gateway.${string}` & keyof CallTable>
type GatewayStreams = Pick<StreamTable, 'gateway.watch'>

/** The path before the endpoints of the gateway. */
export const GATEWAY_PATH = '/gateway'

/** How clients reach the gateway. */
interface GatewayAccess {
  readonly key: string
  /** Returns the URL of the studio without a path. */
  readonly getUrl: () => string
}

/** Creates the calls about the gateway. */
export function createGatewayCalls(monitor: GatewayMonitor, { key, getUrl }: GatewayAccess): GatewayCalls {
  return {
    'gateway.status': async () => ({
      url: getUrl() + GATEWAY_PATH,
      key,
      requestCount: monitor.requestCount,
    }),
    'gateway.body': async (input) => omitUndefined({ body: monitor.findBody(readText(input, 'requestId')) }),
    'gateway.sample': async () => ({ count: await sendSamples(monitor, { key, origin: getUrl() }) }),
  }
}

export function createGatewayStreams(monitor: GatewayMonitor): GatewayStreams {
  return { 'gateway.watch': (_input, signal) => monitor.watch(signal) }
}

const SAMPLE_PROMPTS = ['How warm is it in Oslo?', 'What time is it?', 'Hello!', 'Compare Rome and Cairo.']

/** Model names of sample requests beside `demo`: one with a fallback, and one that fails. */
const OTHER_MODELS = [BUSY_MODEL_NAME, 'no-such-model']

/** Sends requests of each dialect to the demo model, and some that are retried or fail, and waits for the answers. */
async function sendSamples(
  monitor: GatewayMonitor,
  access: Pick<SampleOptions, 'key' | 'origin'>,
): Promise<number> {
  const requests = [
    ...Object.values(dialects).flatMap((dialect, index) =>
      [true, false].map((stream) => createSample({ dialect, index, stream, ...access })),
    ),
    ...OTHER_MODELS.map((model) =>
      createSample({ dialect: dialects.anthropic, index: 0, stream: true, ...access, model }),
    ),
  ]
  for (const request of requests) await (await monitor.answer(request)).text()
  return requests.length
}

interface SampleOptions {
  readonly dialect: Dialect
  readonly index: number
  readonly stream: boolean
  readonly key: string
  readonly origin: string
  readonly model?: string
}

function createSample(options: SampleOptions): Request {
  const { dialect, index, stream, key, origin, model = DEMO_MODEL_NAME } = options
  const request: ChatRequest = {
    model,
    stream,
    messages: [user(SAMPLE_PROMPTS[(index + Number(stream)) % SAMPLE_PROMPTS.length] ?? '')],
    tools: demoTools.map(({ definition }) => definition),
  }
  const { path, query } = dialect.endpoint(request)
  const url = new URL(`${origin}${GATEWAY_PATH}${path}`)
  for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, String(value))
  // The format of Mistral has the paths of OpenAI; its name in the path distinguishes them.
  if (dialect.name === 'mistral') url.pathname = url.pathname.replace(GATEWAY_PATH, `${GATEWAY_PATH}/mistral`)
  const body = JSON.stringify(dialect.encodeRequest(request).value)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  return new Request(url, { method: 'POST', body, headers })
}
