// @ts-check
// A dialect of your own: `own-dialect/parley.js` describes a made-up wire format. Translations, models and agents use it
// like a built-in one.
import { toolCall, translateRequest } from 'interlingua'
import { Agent, tool } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { parleyDialect } from './own-dialect/parley.js'

const body = {
  engine: 'parley-1',
  brief: 'Be brief.',
  limit: 100,
  turns: [{ by: 'human', say: [{ kind: 'words', words: 'Hi', accent: 'plain' }] }],
}

// To another format: what it cannot express is listed.
const { value, losses } = translateRequest(body, {
  from: parleyDialect,
  to: 'anthropic',
  model: 'claude-sonnet-5',
})
console.log(JSON.stringify(value))
for (const loss of losses) console.log(loss.path, loss.rule)

// To the format itself: nothing changes, not even a field that the description does not name.
const request = parleyDialect.decodeRequest(body).value
console.log(JSON.stringify(parleyDialect.encodeRequest(request).value))

// An agent with a model of the format: requests and answers pass through its wire form.
const weather = tool({
  name: 'weather',
  description: 'The weather of a city, now.',
  input: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  run: () => 'Rain',
})
const model = scripted(
  [toolCall({ id: 'call_1', name: 'weather', arguments: { city: 'Oslo' } }), 'It rains.'],
  {
    dialect: parleyDialect,
  },
)
const { text } = await new Agent({ model, tools: [weather] }).send('The weather of Oslo?')
console.log(text)
console.log(JSON.stringify(model.calls[1]?.body))

/* prints:
{"max_tokens":100,"model":"claude-sonnet-5","system":[{"type":"text","text":"Be brief."}],"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]}
/messages/1/content/0/extra/parley/accent foreign-residue
{"engine":"parley-1","brief":"Be brief.","turns":[{"by":"human","say":[{"kind":"words","words":"Hi","accent":"plain"}]}],"limit":100}
It rains.
{"engine":"scripted","turns":[{"by":"human","say":[{"kind":"words","words":"The weather of Oslo?"}]},{"by":"bot","say":[{"kind":"use","id":"call_1","tool":"weather","with":{"city":"Oslo"}}]},{"by":"tool","say":[{"kind":"used","id":"call_1","gave":"Rain"}]}],"tools":[{"tool":"weather","about":"The weather of a city, now.","takes":{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}}],"live":false}
*/
