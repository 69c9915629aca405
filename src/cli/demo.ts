import { validate } from '../canonical/check/validate.ts'
import { textOf } from '../canonical/read/text.ts'
import { dialects } from '../dialects/translate.ts'
import { sampleConversation } from './sample.ts'

const messages = sampleConversation()

console.log('A conversation with reasoning and tools, in canonical form:\n')
for (const message of messages) {
  const parts = message.content.map((part) => part.type).join(', ')
  console.log(`  ${message.role.padEnd(10)}${parts.padEnd(42)}${textOf(message, ' ')}`)
}
console.log(`\n${messages.size} messages, ${validate(messages).length} problems.`)

for (const dialect of Object.values(dialects)) {
  const { value, losses } = dialect.encodeRequest({ model: 'some-model', messages, maxOutputTokens: 1000 })
  console.log(`\nThe same as a request to ${dialect.name}:\n`)
  console.log(JSON.stringify(value, null, 2))
  console.log(losses.length === 0 ? '\nNothing is lost.' : '\nWhat does not come through unchanged:')
  for (const { severity, rule, path, reason } of losses)
    console.log(`  ${severity}  ${rule} at ${path}: ${reason}`)
}
