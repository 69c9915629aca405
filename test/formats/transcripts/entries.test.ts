import * as claudeCode from 'interlingua/formats/claude-code'
import * as cline from 'interlingua/formats/cline'
import * as codex from 'interlingua/formats/codex'
import * as continueSessions from 'interlingua/formats/continue'
import * as geminiCli from 'interlingua/formats/gemini-cli'
import * as opencode from 'interlingua/formats/opencode'
import { piSessions } from 'interlingua/formats/pi'
import { expect, test } from 'vitest'
import { samples } from './sample-files.ts'

const entries = { claudeCode, cline, codex, continueSessions, geminiCli, opencode }

test('each transcript format is an entry of its own', () => {
  for (const [name, entry] of Object.entries(entries)) expect(Object.keys(entry)).toEqual([name])
})

test('each transcript format reads the files of its program', () => {
  const formats = [
    claudeCode.claudeCode,
    cline.cline,
    codex.codex,
    continueSessions.continueSessions,
    geminiCli.geminiCli,
    opencode.opencode,
    piSessions,
  ]
  for (const format of formats) {
    const [, input] = Object.values(samples).find(([name]) => name === format.name) ?? []
    expect(format.fromTranscript(input).format).toBe(format.name)
  }
})
