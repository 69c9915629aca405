import {
  assistant,
  type RunEvent,
  toEvents,
  toolCall,
  type ToolCallPart,
  toolResult,
  toolResults,
  type Usage,
} from 'interlingua'
import { toAgUi } from 'interlingua/formats/ag-ui'
import { Client } from './ag-ui-client.ts'

export const run = { threadId: 't', runId: 'r' }
export const usage: Usage = { inputTokens: 5, outputTokens: 2, totalTokens: 7 }
export const weather: ToolCallPart = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })
const clock = toolCall({ id: 'call_2', name: 'clock' })

/** A tool loop: two calls, their results, the final response. */
export const loop: readonly RunEvent[] = [
  ...toEvents({
    id: 'resp_1',
    model: 'm',
    candidates: [
      assistant(['Let me see.', weather, clock], { id: 'msg_1', finish: { reason: 'tool-calls' } }),
    ],
    usage,
  }),
  toolResults([toolResult(weather, { celsius: 4 }), toolResult(clock, 'No clock', { isError: true })]),
  ...toEvents({
    id: 'resp_2',
    model: 'm',
    candidates: [assistant('4 °C.', { id: 'msg_2', finish: { reason: 'stop' } })],
    usage,
  }),
]

/** Returns the state of an AG-UI client after a run. */
export async function client(events: Iterable<RunEvent>): Promise<Client> {
  const reader = new Client()
  for await (const event of toAgUi(events, run)) reader.apply(event)
  return reader
}
