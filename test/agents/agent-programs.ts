import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A program that is run as its users run it, without a terminal. */
export interface AgentProgram {
  readonly name: string
  /** The command below node_modules/.bin of tools/agents. */
  readonly command: string
  /** The model names that the program asks for, each tried once. */
  readonly models: readonly string[]
  /** Writes the settings of the program to its home folder. */
  readonly prepare: (home: string, url: string, model: string) => Promise<void>
  readonly env: (url: string, model: string) => { readonly [name: string]: string }
  readonly args: (prompt: string, model: string) => readonly string[]
}

export const AGENT_PROGRAMS: readonly AgentProgram[] = [
  {
    name: 'Claude Code',
    command: 'claude',
    models: ['claude-sonnet-5'],
    prepare: async () => {},
    env: (url, model) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'unused',
      ANTHROPIC_MODEL: model,
      // The program refuses to skip permissions as root otherwise.
      IS_SANDBOX: '1',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    args: (prompt) => ['-p', prompt, '--dangerously-skip-permissions'],
  },
  {
    name: 'Codex CLI',
    command: 'codex',
    models: ['gpt-5.5', 'gpt-6.1-sol'],
    async prepare(home, url, model) {
      await mkdir(join(home, '.codex'), { recursive: true })
      const provider = `name = "gateway"\nbase_url = "${url}/v1"\nenv_key = "GATEWAY_KEY"\nwire_api = "responses"\n`
      const config = `model = "${model}"\nmodel_provider = "gateway"\n\n[model_providers.gateway]\n${provider}`
      await writeFile(join(home, '.codex', 'config.toml'), config)
    },
    env: () => ({ GATEWAY_KEY: 'unused' }),
    args: (prompt) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', prompt],
  },
  {
    name: 'Gemini CLI',
    command: 'gemini',
    models: ['gemini-3.5-flash'],
    async prepare(home) {
      await mkdir(join(home, '.gemini'), { recursive: true })
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
      await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings))
    },
    env: (url) => ({ GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: 'unused' }),
    args: (prompt, model) => ['--skip-trust', '-y', '-m', model, '-p', prompt],
  },
]
