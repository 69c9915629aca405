// @ts-check
// Sections separate the parts of a prompt; parameters are filled in when it is sent.
import { assistant, fromJson, MessageStore, renderMessages, system, toJson } from 'interlingua'

const template = MessageStore.of()
  .section('system')
  .append(system('You help the customers of {{company}}.'))
  .section('examples')
  .append('2 + 2?', assistant('4'))
  .withSection('chat')

const store = template.parameters.set('company', 'Acme').section('chat').append('Where is my order?')
console.log(store.sectionNames.join(', '), '|', template.section('chat').messages.size, 'in the template')

// A JSON round trip loses nothing.
const restored = fromJson(JSON.parse(JSON.stringify(toJson(store))), 'store')
console.log(renderMessages(restored, restored.parameters.all).toText({ separator: '\n' }))

console.log(
  JSON.stringify(restored.select('chat', 'system').sectionNames),
  restored.section('examples').remove().sectionNames.length,
)

/* prints:
system, examples, chat | 0 in the template
You help the customers of Acme.
2 + 2?
4
Where is my order?
["chat","system"] 2
*/
