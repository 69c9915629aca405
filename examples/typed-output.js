// @ts-check
// Typed output: through the model's own schema support, or in two phases, or through a tool.
import { toolCall } from 'interlingua'
import { Agent, OutputError } from 'interlingua/agent'
import { scripted } from 'interlingua/providers'
import { z } from 'zod'

const invoice = z.object({
  number: z.string(),
  total: z.number().positive(),
  currency: z.enum(['EUR', 'NOK']),
})
const prompt = 'Read this: Invoice 2026-117, to pay: kr 1 250,-'
const right = { number: '2026-117', total: 1250, currency: 'NOK' }

// This model supports schemas. Its first output is invalid: it gets the error and tries again.
const native = scripted([JSON.stringify({ ...right, currency: 'kr' }), JSON.stringify(right)])
const { output, steps } = await new Agent({ model: native }).sendFor(invoice, prompt)
console.log(output, 'in', steps.length, 'steps')

// This model supports no schemas, so it gets a tool whose input is the result.
const plain = scripted([toolCall({ name: 'return_result', arguments: right })], {
  capabilities: { supportsOutputSchema: false },
})
console.log((await new Agent({ model: plain }).sendFor(invoice, prompt)).output?.total)

// The output grows while it streams.
const stream = new Agent({ model: scripted([JSON.stringify(right)]) }).stream(prompt, { output: invoice })
const seen = []
for await (const { output: soFar } of stream) if (soFar !== undefined) seen.push(JSON.stringify(soFar))
console.log('first', seen[0], 'then more')

// This model never returns valid output: a typed error with its text.
const hopeless = new Agent({ model: scripted(['No idea.', 'None at all.']), outputRetries: 1 })
await hopeless.sendFor(invoice, prompt).catch((error) => {
  if (error instanceof OutputError) console.log(error.code, JSON.stringify(error.text), error.issues.length)
})

/* prints:
{ number: '2026-117', total: 1250, currency: 'NOK' } in 2 steps
1250
first {"number":"2026-117"} then more
invalid-output "None at all." 1
*/
