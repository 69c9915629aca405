// Checks a codec with the golden corpus, as a port to another language does.
import { isDeepStrictEqual } from 'node:util'
import { dialects } from 'interlingua'
import { listGoldenCases, loadGoldenCase } from 'interlingua/golden'

const cases = await listGoldenCases('request')
console.log(cases.slice(0, 3).map(({ name, description }) => `${name}: ${description}`))

// Replace this encoder by the one that you want to check.
/** @type {(request: import('interlingua').ChatRequest, options: { model: string }) => unknown} */
const encode = (request, options) => dialects.anthropic.encodeRequest(request, options).value

const different = []
for (const { name } of cases) {
  const golden = await loadGoldenCase('request', name)
  const { options, body } = golden.dialects.anthropic
  if (!isDeepStrictEqual(encode(golden.canonical, options), body)) different.push(name)
}
console.log('different:', different)

// What a provider does not accept is in the losses.
const media = await loadGoldenCase('request', 'media')
for (const { path, rule } of media.dialects['openai-chat'].losses) console.log(path, rule)

/* prints:
[
  'text: A system message and a question.',
  'turns: Several turns, with two texts in one message.',
  'roles: System and developer messages at the start and later, and names of participants.'
]
different: []
/messages/0/content/4 unsupported-media
/messages/0/content/6 unsupported-media
/messages/0/content/7 unsupported-media
*/
