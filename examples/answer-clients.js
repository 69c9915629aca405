// @ts-check
// Shows one answer of Gemini to clients of other formats: the words of the model, and its reasoning in their own form.
import { translateResponse } from 'interlingua'

const answer = {
  candidates: [
    {
      content: {
        role: 'model',
        parts: [
          { text: 'A sum is needed.', thought: true },
          { executableCode: { language: 'PYTHON', code: 'print(2 + 3)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '5\n' } },
          { text: 'It is 5.' },
        ],
      },
      finishReason: 'STOP',
    },
  ],
}

const chat = translateResponse(answer, { from: 'gemini', to: 'openai-chat' })
const { content, ...message } = chat.value.choices[0]?.message ?? {}
console.log(content, JSON.stringify(message))

const claude = translateResponse(answer, {
  from: 'gemini',
  to: 'anthropic',
  reasoningSignature: 'my-proxy',
  unsupported: { hostedTools: 'reasoning' },
})
for (const block of claude.value.content) console.log(JSON.stringify(block))

try {
  translateResponse(answer, { from: 'gemini', to: 'ollama', unsupported: { hostedTools: 'reject' } })
} catch (error) {
  console.log(error instanceof Error && error.message)
}

/* prints:
It is 5. {"role":"assistant","refusal":null,"annotations":[],"reasoning_content":"A sum is needed."}
{"type":"thinking","thinking":"A sum is needed.","signature":"my-proxy"}
{"type":"thinking","thinking":"[code_execution ran with {\"language\":\"PYTHON\",\"code\":\"print(2 + 3)\"}]","signature":"my-proxy"}
{"type":"thinking","thinking":"[result: {\"outcome\":\"OUTCOME_OK\",\"output\":\"5\\n\"}]","signature":"my-proxy"}
{"type":"text","text":"It is 5."}
ollama cannot express the content at /candidates/0/content/1
*/
