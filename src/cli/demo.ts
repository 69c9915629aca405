import { sampleConversation } from './sample.ts'
import { toJson } from '../canonical/stored/stored.ts'
import { describeCall, reasoningOf, textOf, toolCallsOf } from '../canonical/read/text.ts'
import { validate } from '../canonical/check/validate.ts'

const messages = sampleConversation()

console.log('A conversation in canonical form, as interlingua stores it:\n')
console.log(JSON.stringify(toJson(messages), null, 2))

console.log('\nThe same, read:\n')
for (const message of messages) {
  const thoughts = reasoningOf(message)
  if (thoughts !== '') console.log(`  ${message.role} thinks: ${thoughts}`)
  const said = textOf(message, ' ')
  if (said !== '') console.log(`  ${message.role}: ${said}`)
  for (const call of toolCallsOf(message)) console.log(`  ${message.role} calls ${describeCall(call)}`)
}

const problems = validate(messages)
console.log(`\n${messages.size} messages, ${problems.length} problems.`)
