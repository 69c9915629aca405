import type { JsonObject } from 'interlingua'

const content = (role: string, ...parts: readonly JsonObject[]): JsonObject => ({ role, parts })
const geminiFunction = (...names: readonly string[]): JsonObject => ({
  tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
})

/** Bodies that break each rule of Gemini. */
export const geminiRefusals: { readonly [rule: string]: readonly JsonObject[] } = {
  contents: [{ contents: [] }],
  'parts-in-contents': [{ contents: [content('user')] }, { contents: [content('user', { text: '' })] }],
  'calls-follow-user': [
    { contents: [content('model', { text: 'a' }), content('model', { functionCall: {} })] },
  ],
  'results-follow-calls': [
    { contents: [content('model', { functionCall: {} }), content('user', { text: 'x' })] },
    { contents: [content('user', { functionResponse: {} })] },
  ],
  'media-have-type': [{ contents: [content('user', { inlineData: { mimeType: 'image/png', data: '' } })] }],
  'stop-sequences': [{ generationConfig: { stopSequences: ['a', 'b', 'c', 'd', 'e', 'f'] } }],
  'level-or-budget': [
    { generationConfig: { thinkingConfig: { thinkingLevel: 'LOW', thinkingBudget: 9 } } },
    { generationConfig: { thinking_config: { thinking_level: 'LOW', thinking_budget: 9 } } },
  ],
  'function-config-needs-functions': [
    { toolConfig: { functionCallingConfig: {} }, tools: [{ googleSearch: {} }] },
  ],
  'function-names': [geminiFunction('1a')],
  'unique-functions': [geminiFunction('a', 'a')],
  'model-thinking-level': [
    { model: 'gemini-2.5-pro', generationConfig: { thinkingConfig: { thinkingLevel: 'LOW' } } },
    { model: 'gemini-3-pro-preview', generationConfig: { thinkingConfig: { thinkingLevel: 'MEDIUM' } } },
  ],
  'model-thinking-budget': [
    { model: 'gemini-2.5-pro', generationConfig: { thinkingConfig: { thinkingBudget: 0 } } },
    { model: 'gemini-2.5-flash', generationConfig: { thinkingConfig: { thinkingBudget: 60_000 } } },
  ],
  'model-penalties': [
    { model: 'gemini-2.5-flash', generationConfig: { presencePenalty: 0.1 } },
    { model: 'gemini-3.8-flash', generationConfig: { frequencyPenalty: 0.1 } },
  ],
  'model-output-limit': [{ model: 'gemini-2.5-flash', generationConfig: { maxOutputTokens: 128_000 } }],
  'model-json-beside-tools': [
    {
      model: 'gemini-2.5-flash',
      generationConfig: { responseMimeType: 'application/json' },
      ...geminiFunction('a'),
    },
  ],
  'model-signatures': [{ model: 'gemini-3-flash', contents: [content('model', { functionCall: {} })] }],
  'model-prefill': [{ model: 'gemini-3.5-flash-lite', contents: [content('model', { text: 'The' })] }],
  'model-features': [
    { model: 'gemma-3-27b-it', systemInstruction: { parts: [{ text: 'S' }] } },
    { model: 'gemma-3n-e4b-it', ...geminiFunction('a') },
    { model: 'gemma-3-4b-it', generationConfig: { responseMimeType: 'application/json' } },
  ],
}
