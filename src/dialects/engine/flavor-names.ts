/** The names of the flavors of each dialect that has some. The flavor table of the dialect must have exactly these rows. */
export const flavorNames = {
  'openai-chat': [
    'azure',
    'cerebras',
    'cloudflare',
    'deepinfra',
    'deepseek',
    'fireworks',
    'github-models',
    'groq',
    'huggingface',
    'litellm',
    'llama.cpp',
    'lmstudio',
    'minimax',
    'mistral',
    'moonshot',
    'nebius',
    'nvidia',
    'ollama',
    'openai',
    'openrouter',
    'perplexity',
    'qwen',
    'sambanova',
    'together',
    'vllm',
    'xai',
    'zai',
  ],
  anthropic: [
    'bedrock',
    'deepseek',
    'llama.cpp',
    'lmstudio',
    'minimax',
    'moonshot',
    'ollama',
    'vertex',
    'zai',
  ],
  gemini: ['vertex'],
  'openai-responses': ['open-responses'],
} as const

/** The names of the built-in flavors, by dialect. */
export type FlavorNamesByDialect = {
  readonly [dialect in keyof typeof flavorNames]: (typeof flavorNames)[dialect][number]
}
