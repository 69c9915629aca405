import { readdirSync, readFileSync } from 'node:fs'
import type { TranscriptFile, TranscriptFormatName } from 'interlingua/formats'

const folder = new URL('samples/', import.meta.url)

const readSample = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

const readFolder = (path: string): readonly TranscriptFile[] =>
  readdirSync(new URL(path, folder)).map((name) => ({
    path: `${path}/${name}`,
    text: readSample(`${path}/${name}`),
  }))

/** A sample of each program and version: its format, and what is passed to `fromTranscript`. */
export const samples: {
  readonly [title: string]: readonly [TranscriptFormatName, string | readonly TranscriptFile[]]
} = {
  'Claude Code': ['claude-code', readSample('claude-code.jsonl')],
  'Claude Code 1.0': ['claude-code', readSample('claude-code-1.0.jsonl')],
  Codex: ['codex', readSample('codex.jsonl')],
  'Codex with a sub-agent': [
    'codex',
    ['codex.jsonl', 'codex-agent.jsonl'].map((path) => ({ path, text: readSample(path) })),
  ],
  'Codex 0.20': ['codex', readSample('codex-0.20.jsonl')],
  'Gemini CLI, a document': ['gemini-cli', readSample('gemini-cli.json')],
  'Gemini CLI, lines': ['gemini-cli', readSample('gemini-cli.jsonl')],
  opencode: ['opencode', readSample('opencode.json')],
  'opencode, the storage': ['opencode', toStorageFiles(readSample('opencode.json'))],
  pi: ['pi', readSample('pi.jsonl')],
  'pi, version 1': ['pi', readSample('pi-v1.jsonl')],
  Cline: ['cline', readSample('cline-task.json')],
  'Roo Code': ['cline', readFolder('roo/tasks/1772949600000')],
  Continue: ['continue', readSample('continue.json')],
}

/** Splits an export of opencode into the files of its storage: one for each session, message and part. */
function toStorageFiles(text: string): readonly TranscriptFile[] {
  const { info, messages } = JSON.parse(text) as {
    readonly info: { readonly id: string }
    readonly messages: readonly {
      readonly info: { readonly id: string }
      readonly parts: readonly { readonly id: string }[]
    }[]
  }
  return [
    { path: `storage/session/prj_weather/${info.id}.json`, text: JSON.stringify(info) },
    ...messages.flatMap((message) => [
      { path: `storage/message/${info.id}/${message.info.id}.json`, text: JSON.stringify(message.info) },
      ...message.parts.map((part) => ({
        path: `storage/part/${message.info.id}/${part.id}.json`,
        text: JSON.stringify(part),
      })),
    ]),
  ]
}
