import { type Message, system, toolResult, toolResults, user } from 'interlingua'
import type { Model } from 'interlingua/providers'

/** Has a conversation, whole and streamed in turn; tool calls get results. */
export async function converse(model: Model, questions: readonly string[]): Promise<readonly Message[]> {
  let messages: readonly Message[] = [system('Be brief.')]
  for (const [index, question] of questions.entries()) {
    messages = [...messages, user(question)]
    for (;;) {
      const request = { messages }
      const { message } = await (index % 2 === 0 ? model.generate(request) : model.stream(request).reply)
      messages = [...messages, message]
      const calls = message.content.filter((part) => part.type === 'tool-call')
      if (calls.length === 0) break
      messages = [...messages, toolResults(calls.map((call) => toolResult(call, 'sunny')))]
    }
  }
  return messages
}
