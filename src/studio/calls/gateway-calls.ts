import { user } from '../../canonical/build/messages.ts'
import type { ChatRequest } from '../../canonical/model/request.ts'
import { dialects } from '../../dialects/dialects.ts'
import { omitUndefined } from '../../wire/json.ts'
import { demoTools } from '../chat-tools.ts'
import type { GatewayMonitor } from '../gateway-monitor.ts'
import { type CallTable, readText, type StreamTable } from '../http-api.ts'
import { DEMO_MODEL_NAME } from '../models.ts'

type GatewayCalls = Pick<CallTable, `gateway.${string}` & keyof CallTable>
type GatewayStreams = Pick<StreamTable, 'gateway.watch'>

/** The path before the endpoints of the gateway. */
export const GATEWAY_PATH = '/gateway'

/** Creates the calls about the gateway. `getUrl` returns the URL of the studio without a path. */
export function createGatewayCalls(monitor: GatewayMonitor, getUrl: () => string): GatewayCalls {
  return {
    'gateway.status': async () => ({ url: getUrl() + GATEWAY_PATH, requestCount: monitor.requestCount }),
    'gateway.body': async (input) => omitUndefined({ body: monitor.findBody(readText(input, 'requestId')) }),
    'gateway.sample': async () => ({ count: await sendSamples(monitor, getUrl()) }),
  }
}

export function createGatewayStreams(monitor: GatewayMonitor): GatewayStreams {
  return { 'gateway.watch': (_input, signal) => monitor.watch(signal) }
}

const SAMPLE_PROMPTS = ['How warm is it in Oslo?', 'What time is it?', 'Hello!', 'Compare Rome and Cairo.']

/** Sends one request of each dialect to the demo model, and waits for the answers. */
async function sendSamples(monitor: GatewayMonitor, origin: string): Promise<number> {
  const requests = Object.values(dialects).flatMap((dialect, index) =>
    [true, false].map((stream): Request => {
      const request: ChatRequest = {
        model: DEMO_MODEL_NAME,
        stream,
        messages: [user(SAMPLE_PROMPTS[(index + Number(stream)) % SAMPLE_PROMPTS.length] ?? '')],
        tools: demoTools.map(({ definition }) => definition),
        // Not every dialect has a seed, so that some requests show a loss.
        seed: 7,
      }
      const { path, query } = dialect.endpoint(request)
      const url = new URL(`${origin}${GATEWAY_PATH}${path}`)
      for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, String(value))
      // The format of Mistral has the paths of OpenAI; its name in the path distinguishes them.
      if (dialect.name === 'mistral')
        url.pathname = url.pathname.replace(GATEWAY_PATH, `${GATEWAY_PATH}/mistral`)
      const body = JSON.stringify(dialect.encodeRequest(request).value)
      return new Request(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    }),
  )
  for (const request of requests) await (await monitor.answer(request)).text()
  return requests.length
}
