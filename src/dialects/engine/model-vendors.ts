/**
 * The vendors of models, by fragments of their names. The first match wins: distilled models have the names of two vendors, and
 * reason like the first. `gpt-oss` is a vendor of its own, because its reasoning is plain text that any host accepts, while
 * OpenAI's API accepts only encrypted reasoning. Sources: the model lists of the vendors, of OpenRouter and of Ollama.
 */
const vendorsByNameFragment: readonly (readonly [RegExp, string])[] = [
  [/claude/, 'anthropic'],
  [/deepseek/, 'deepseek'],
  [/gpt-oss/, 'gpt-oss'],
  [/gemini|gemma/, 'google'],
  [/grok/, 'xai'],
  [/qwen|qwq/, 'qwen'],
  [/kimi|moonshot/, 'moonshot'],
  [/glm/, 'zai'],
  [/minimax/, 'minimax'],
  [/mimo/, 'xiaomi'],
  [/mistral|magistral|ministral|mixtral|codestral|devstral/, 'mistral'],
  [/llama/, 'meta'],
  [/nova-/, 'amazon'],
  [/command-/, 'cohere'],
  [/sonar/, 'perplexity'],
  [/gpt|codex|(?:^|[/:])o[134](?:-|$)/, 'openai'],
]

/** Returns the vendor of a model; undefined if its name does not identify one. */
export function getModelVendor(model: string | undefined): string | undefined {
  if (model === undefined) return undefined
  const name = model.toLowerCase()
  return vendorsByNameFragment.find(([fragment]) => fragment.test(name))?.[1]
}
