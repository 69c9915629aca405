/** The programs whose settings are known. */
export type ProgramName =
  | 'claude-code'
  | 'codex'
  | 'continue'
  | 'gemini-cli'
  | 'ollama'
  | 'openai'
  | 'opencode'
  | 'pi'
  | 'qwen'

/** How agent programs are pointed at a gateway: lines for a shell, or for the file that a comment names. */
const SETUPS: { readonly [program in ProgramName]: (url: string) => readonly string[] } = {
  'claude-code': (url) => [
    `export ANTHROPIC_BASE_URL=${url}`,
    'export ANTHROPIC_API_KEY=YOUR_GATEWAY_KEY',
    'export ANTHROPIC_MODEL=YOUR_MODEL',
    'claude',
  ],
  codex: (url) => [
    '# ~/.codex/config.toml',
    'model = "YOUR_MODEL"',
    'model_provider = "interlingua"',
    '[model_providers.interlingua]',
    'name = "interlingua"',
    `base_url = "${url}/v1"`,
    'env_key = "INTERLINGUA_KEY"',
    'wire_api = "responses"',
  ],
  continue: (url) => [
    '# ~/.continue/config.yaml',
    'name: interlingua',
    'version: 1.0.0',
    'schema: v1',
    'models:',
    '  - name: YOUR_MODEL',
    '    provider: openai',
    '    model: YOUR_MODEL',
    `    apiBase: ${url}/v1`,
    '    apiKey: YOUR_GATEWAY_KEY',
  ],
  'gemini-cli': (url) => [
    '# ~/.gemini/settings.json: {"security":{"auth":{"selectedType":"gemini-api-key"}}}',
    `export GOOGLE_GEMINI_BASE_URL=${url}`,
    'export GEMINI_API_KEY=YOUR_GATEWAY_KEY',
    'gemini --model YOUR_MODEL',
  ],
  ollama: (url) => [`export OLLAMA_HOST=${url}`],
  openai: (url) => [`export OPENAI_BASE_URL=${url}/v1`, 'export OPENAI_API_KEY=YOUR_GATEWAY_KEY'],
  opencode: (url) =>
    formatJsonFile('opencode.json', {
      provider: {
        interlingua: {
          npm: '@ai-sdk/openai-compatible',
          options: { baseURL: `${url}/v1`, apiKey: 'YOUR_GATEWAY_KEY' },
          models: { YOUR_MODEL: {} },
        },
      },
      model: 'interlingua/YOUR_MODEL',
    }),
  pi: (url) =>
    formatJsonFile('~/.pi/agent/models.json', {
      providers: {
        interlingua: {
          baseUrl: `${url}/v1`,
          api: 'openai-completions',
          apiKey: 'YOUR_GATEWAY_KEY',
          models: [{ id: 'YOUR_MODEL' }],
        },
      },
    }),
  qwen: (url) => [
    `export OPENAI_BASE_URL=${url}/v1`,
    'export OPENAI_API_KEY=YOUR_GATEWAY_KEY',
    'export OPENAI_MODEL=YOUR_MODEL',
    'qwen',
  ],
}

function formatJsonFile(name: string, content: object): readonly string[] {
  return [`# ${name}`, ...JSON.stringify(content, null, 2).split('\n')]
}

export const PROGRAM_NAMES: readonly ProgramName[] = Object.keys(SETUPS) as ProgramName[]

/** Returns the lines that point a program at a gateway. Without keys in its configuration, every key is accepted. */
export function formatSetup(program: ProgramName, url: string): readonly string[] {
  return SETUPS[program](url)
}
