// @ts-check
// One conversation, five dialects: another model responds in each turn, and the first one gets its own reasoning back.
import { dialects, toolCallsOf, toolResult, toolResults, user } from 'interlingua'

/** @typedef {import('interlingua').DialectName} DialectName */

// The responses of the models; a real program gets these from the network.
/** @type {readonly (readonly [DialectName, unknown])[]} */
const answers = [
  [
    'anthropic',
    {
      type: 'message',
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'I should look it up.', signature: 'signed-by-anthropic' },
        { type: 'tool_use', id: 'toolu_1', name: 'weather', input: { city: 'Oslo' } },
      ],
      stop_reason: 'tool_use',
    },
  ],
  [
    'openai-responses',
    {
      output: [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed-by-openai' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'It snows.' }] },
      ],
    },
  ],
  [
    'gemini',
    {
      candidates: [
        {
          content: {
            parts: [
              {
                functionCall: { name: 'weather', args: { city: 'Rome' } },
                thoughtSignature: 'signed-by-google',
              },
            ],
          },
        },
      ],
    },
  ],
  ['ollama', { message: { role: 'assistant', content: 'Sun in Rome.', thinking: 'Easy.' } }],
  ['openai-chat', { choices: [{ message: { role: 'assistant', content: 'You are welcome.' } }] }],
]

/** @type {readonly import('interlingua').Message[]} */
let messages = [user('How is the weather in Oslo?')]

/** @param {DialectName} name */
function show(name) {
  const { value, losses } = dialects[name].encodeRequest({ model: 'a-model', maxOutputTokens: 500, messages })
  const lists = Object.values(value).filter((each) => Array.isArray(each))
  const sent = /** @type {readonly { role?: string, type?: string }[]} */ (lists[0] ?? [])
  console.log(`${name} gets ${sent.map(({ role, type }) => role ?? type).join(', ')}`)
  const tokens = JSON.stringify(value).match(/(signed|sealed)-by-\w+/g)
  if (tokens) console.log(`  with ${tokens.join(' ')}`)
  for (const { severity, rule, path } of losses) console.log(`  ${severity} ${rule} ${path}`)
}

for (const [name, body] of answers) {
  show(name)
  const [answer] = dialects[name].decodeResponse(body).value.candidates
  if (answer === undefined) throw new Error(`${name} did not answer`)
  const results = toolCallsOf(answer).map((call) => toolResult(call, 'Snow in Oslo, sun in Rome'))
  messages = [...messages, answer, results.length > 0 ? toolResults(results) : user('Thanks. And in Rome?')]
}
// Back to the first model: its own signatures are sent again, and those of other vendors are omitted.
show('anthropic')

/* prints:
anthropic gets user
openai-responses gets user, function_call, function_call_output
  loss foreign-reasoning /messages/1/content/0
gemini gets user, model, user, model, user
  loss foreign-reasoning /messages/1/content/0
  note signature-placeholder /messages/1/content/1/signature
  note hidden-reasoning /messages/3/content/0
ollama gets user, assistant, tool, assistant, user, assistant, tool
  loss foreign-reasoning /messages/1/content/0
  note hidden-reasoning /messages/3/content/0
  note foreign-signature /messages/5/content/0/signature
openai-chat gets user, assistant, tool, assistant, user, assistant, tool, assistant, user
  loss foreign-reasoning /messages/1/content/0
  note hidden-reasoning /messages/3/content/0
  note foreign-signature /messages/5/content/0/signature
  loss foreign-reasoning /messages/7/content/0
anthropic gets user, assistant, user, assistant, user, assistant, user, assistant, user, assistant, user
  with signed-by-anthropic
  note hidden-reasoning /messages/3/content/0
  note foreign-signature /messages/5/content/0/signature
  loss foreign-reasoning /messages/7/content/0
*/
