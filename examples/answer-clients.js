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

// Clients of Anthropic see a thinking block with your signature, and the code as a tool that the server ran.
const claude = translateResponse(answer, { from: 'gemini', to: 'anthropic', reasoningSignature: 'my-proxy' })
console.log(claude.value.content.map(({ type }) => type).join(', '))
console.log(JSON.stringify(claude.value.content[0]))

// Ollama has no form for such a tool: it is omitted, or described in the reasoning, or rejected.
const described = translateResponse(answer, {
  from: 'gemini',
  to: 'ollama',
  unsupported: { hostedTools: 'reasoning' },
})
console.log(JSON.stringify(described.value.message))

try {
  translateResponse(answer, { from: 'gemini', to: 'ollama', unsupported: { hostedTools: 'reject' } })
} catch (error) {
  console.log(error instanceof Error && error.message)
}

/* prints:
It is 5. {"role":"assistant","refusal":null,"annotations":[],"reasoning_content":"A sum is needed."}
thinking, server_tool_use, code_execution_tool_result, text
{"type":"thinking","thinking":"A sum is needed.","signature":"my-proxy"}
{"role":"assistant","content":"It is 5.","thinking":"A sum is needed.[code_execution ran with {\"language\":\"PYTHON\",\"code\":\"print(2 + 3)\"}][result: {\"outcome\":\"OUTCOME_OK\",\"output\":\"5\\n\"}]"}
ollama cannot express the content at /candidates/0/content/1
*/
