// @ts-check
// Converts a row of a Hugging Face dataset to the prompts of other models, and back.
import { textOf } from 'interlingua'
import { detectConversationFormat, fromConversations, toConversation } from 'interlingua/formats'

const row = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'How warm is it in Oslo?' },
    {
      role: 'assistant',
      reasoning_content: 'The tool knows.',
      tool_calls: [{ type: 'function', function: { name: 'weather', arguments: { city: 'Oslo' } } }],
    },
    { role: 'tool', name: 'weather', content: '4 degrees' },
    { role: 'assistant', content: 'It is 4 degrees.' },
  ],
}
console.log(detectConversationFormat(row))

for (const { value: request } of fromConversations(row)) {
  const { text } = toConversation(request, { to: 'chatml' }).value
  console.log(text.split('\n').slice(0, 4).join(' / '))

  const harmony = toConversation(request, { to: 'harmony' }).value
  for (const { value: back } of fromConversations(harmony.text))
    console.log([...back.messages].map((message) => `${message.role} ${textOf(message)}`.trim()).join(' / '))

  const restored = toConversation(request, { to: 'huggingface' }).value
  console.log('unchanged:', JSON.stringify(restored) === JSON.stringify(row))
}

/* prints:
{ format: 'huggingface', contains: 'conversations' }
<|im_start|>system / Be brief.<|im_end|> / <|im_start|>user / How warm is it in Oslo?<|im_end|>
developer Be brief. / user How warm is it in Oslo? / assistant / tool 4 degrees / assistant It is 4 degrees.
unchanged: true
*/
