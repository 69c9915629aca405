// @ts-check
// Streams one tool loop to two kinds of browser clients: React's `useChat` and AG-UI.
import { assistant, toEvents, toolCall, toolResult, toolResults } from 'interlingua'
import { toAgUi } from 'interlingua/formats/ag-ui'
import {
  toUIMessageStream,
  toUIMessageStreamBytes,
  uiMessageStreamHeaders,
} from 'interlingua/formats/ai-sdk-ui'

const call = toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } })

// In a program, the events come from dialects[…].decodeStream(response.body).
const run = [
  ...toEvents({
    id: 'resp_1',
    candidates: [assistant(call, { id: 'msg_1', finish: { reason: 'tool-calls' } })],
  }),
  toolResults(toolResult(call, { celsius: 4 }), { id: 'msg_2' }),
  ...toEvents({
    id: 'resp_2',
    candidates: [assistant('It is 4 °C.', { id: 'msg_3', finish: { reason: 'pause' } })],
  }),
]

/** @param {import('interlingua').Loss} loss */
const onLoss = ({ severity, rule, path }) => console.log(severity, rule, 'at', path)
for await (const chunk of toUIMessageStream(run, { onLoss })) console.log(JSON.stringify(chunk))

// The value that a route handler returns.
const response = new Response(toUIMessageStreamBytes(run), { headers: uiMessageStreamHeaders })
console.log(response.headers.get('x-vercel-ai-ui-message-stream'), (await response.text()).slice(-16).trim())

for await (const { type } of toAgUi(run, { threadId: 'thread_1', runId: 'run_1' })) console.log(type)

/* prints:
note message-metadata at /steps/0/candidates/0/createdAt
{"type":"start","messageId":"msg_1"}
{"type":"start-step"}
{"type":"tool-input-start","toolCallId":"call_1","toolName":"weather"}
{"type":"tool-input-delta","toolCallId":"call_1","inputTextDelta":"{\"city\":\"Oslo\"}"}
{"type":"tool-input-available","toolCallId":"call_1","toolName":"weather","input":{"city":"Oslo"}}
{"type":"tool-output-available","toolCallId":"call_1","output":{"celsius":4}}
note message-metadata at /steps/1/candidates/0/createdAt
{"type":"finish-step"}
{"type":"start-step"}
{"type":"text-start","id":"1-0"}
{"type":"text-delta","id":"1-0","delta":"It is 4 °C."}
{"type":"text-end","id":"1-0"}
note finish-approximated at /steps/1/candidates/0/finish
{"type":"finish-step"}
{"type":"finish","finishReason":"other"}
v1 data: [DONE]
RUN_STARTED
STEP_STARTED
TOOL_CALL_START
TOOL_CALL_ARGS
TOOL_CALL_END
TOOL_CALL_RESULT
STEP_FINISHED
STEP_STARTED
TEXT_MESSAGE_START
TEXT_MESSAGE_CONTENT
TEXT_MESSAGE_END
STEP_FINISHED
RUN_FINISHED
*/
