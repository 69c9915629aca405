// @ts-check
// Declares tools that providers run, by plain name, and sends the same tools to three providers.
import { dialects, user } from 'interlingua'

/** @type {import('interlingua').Tool[]} */
const tools = [
  { type: 'provider', provider: 'anthropic', name: 'web_search', options: { allowed_domains: ['yr.no'] } },
  { type: 'provider', provider: 'anthropic', name: 'code_execution', options: {} },
  { type: 'provider', provider: 'anthropic', name: 'memory', options: {} },
]
const messages = [user('How warm is it in Oslo?')]

for (const name of /** @type {const} */ (['anthropic', 'openai-responses', 'gemini'])) {
  const { value, losses } = dialects[name].encodeRequest({ model: 'some-model', messages, tools })
  console.log(name, JSON.stringify(value.tools))
  for (const { severity, rule, path } of losses)
    if (path.startsWith('/tools')) console.log(' ', severity, rule, 'at', path)
}

/* prints:
anthropic [{"name":"web_search","allowed_domains":["yr.no"],"type":"web_search_20250305"},{"name":"code_execution","type":"code_execution_20250825"},{"name":"memory","type":"memory_20250818"}]
openai-responses [{"filters":{"allowed_domains":["yr.no"]},"type":"web_search"},{"container":{"type":"auto"},"type":"code_interpreter"}]
  note hosted-tool at /tools/0
  note hosted-tool at /tools/1
  loss foreign-tool at /tools/2
gemini [{"googleSearch":{}},{"codeExecution":{}}]
  note hosted-tool at /tools/0
  loss no-field at /tools/0/options/allowed_domains
  note hosted-tool at /tools/1
  loss foreign-tool at /tools/2
*/
