// @ts-check
// Cohere: an answer with citations of a document. A made-up server replaces Cohere.
import { file, user } from 'interlingua'
import { cohere } from 'interlingua/providers'

/** @type {typeof fetch} */
const fakeFetch = async (_url, init) => {
  const { documents } = await new Response(init?.body).json()
  console.log('documents:', JSON.stringify(documents))
  const document = { id: 'doc:0', ...documents[0].data }
  const citation = {
    start: 0,
    end: 11,
    text: 'The emperor',
    sources: [{ type: 'document', id: 'doc:0', document }],
    type: 'TEXT_CONTENT',
  }
  return Response.json({
    id: 'r1',
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: 'The emperor is the tallest.' }],
      citations: [citation],
    },
    finish_reason: 'COMPLETE',
    usage: { tokens: { input_tokens: 40, output_tokens: 7 } },
  })
}

const model = cohere('command-a-03-2025', { apiKey: 'example', fetch: fakeFetch })
const notes = file({ text: 'The emperor penguin is the tallest of all.' }, { name: 'Penguins' })
const { message } = await model.generate({ messages: [user([notes, 'Which penguin is the tallest?'])] })
for (const part of message.content) {
  if (part.type !== 'text') continue
  for (const citation of part.citations ?? [])
    if (citation.type === 'source')
      console.log(`"${part.text.slice(citation.start, citation.end)}" is from ${citation.title}`)
}

/* prints:
documents: [{"data":{"title":"Penguins","text":"The emperor penguin is the tallest of all."}}]
"The emperor" is from Penguins
*/
