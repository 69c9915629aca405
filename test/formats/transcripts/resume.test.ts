import { dialects, type DialectName, type Message, user } from 'interlingua'
import { fromTranscript, toSessionLines, type TranscriptSession } from 'interlingua/formats'
import { memoryStorage } from 'interlingua/stores'
import { findRequestProblems } from 'interlingua/testing/providers'
import { expect, test } from 'vitest'
import { samples } from './sample-files.ts'

/** A model of each dialect. */
const models: { readonly [name in DialectName]: string } = {
  anthropic: 'claude-sonnet-4-5',
  gemini: 'gemini-3-flash',
  ollama: 'qwen3',
  'openai-chat': 'gpt-5.2',
  'openai-responses': 'gpt-5.2',
  mistral: 'mistral-large-4',
  'gemini-interactions': 'gemini-3-flash',
  bedrock: 'us.anthropic.claude-sonnet-4-5-20250929-v1:0',
  cohere: 'command-a-03-2025',
}

/** Returns every branch of a session: the messages up to each one that no other message follows. */
function listBranches({ sections }: TranscriptSession): readonly (readonly Message[])[] {
  return sections.flatMap(({ messages }) => {
    const byId = new Map(messages.map((message) => [message.id, message]))
    const parents = new Set(messages.map(({ parentId }) => parentId))
    return messages
      .filter(({ id }) => !parents.has(id))
      .map((leaf) => {
        const branch: Message[] = []
        for (let at: Message | undefined = leaf; at !== undefined; at = byId.get(at.parentId ?? ''))
          branch.push(at)
        return branch.reverse()
      })
  })
}

const cases = Object.keys(samples).flatMap((title) =>
  (Object.keys(models) as DialectName[]).map((name) => [title, name] as const),
)

test.each(cases)('every branch of %s can be continued with %s', (title, name) => {
  for (const session of fromTranscript(samples[title]?.[1]).sessions)
    for (const branch of listBranches(session)) {
      const messages = [...branch, user('Please continue.')]
      const { value } = dialects[name].encodeRequest({ model: models[name], messages, maxOutputTokens: 1000 })
      expect(findRequestProblems(name, value)).toEqual([])
    }
})

test.each(Object.keys(samples))('a storage imports %s with its branches and sub-agents', async (title) => {
  const storage = memoryStorage()
  for (const session of fromTranscript(samples[title]?.[1]).sessions) {
    const imported = await storage.importSession(toSessionLines(session))
    expect(imported.sections).toEqual(session.sections.map(({ name }) => name))
    for (const { name, head, messages } of session.sections) {
      const branches = await storage.branches(imported.id, { section: name })
      const parents = new Set(messages.map(({ parentId }) => parentId))
      expect(branches.map((branch) => branch.head).toSorted()).toEqual(
        messages.flatMap(({ id }) => (parents.has(id) ? [] : [id])).toSorted(),
      )
      const stored = [...(await storage.messages(imported.id, { section: name }))]
      expect(stored.at(-1)?.id).toBe(head)
    }
  }
})
