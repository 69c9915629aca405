import { InterlinguaError } from 'interlingua'
import { model } from 'interlingua/providers'
import { describe, expect, test } from 'vitest'

describe('the name of a model without a known provider', () => {
  test.each([
    ['gpt-5', "Write 'openai:gpt-5'."],
    ['claude-sonnet-5', "Write 'anthropic:claude-sonnet-5'."],
    ['openai/gpt-5', "Write 'openai:gpt-5'."],
    ['opanai:gpt-5', 'Use `openai`.'],
    ['deep:x', 'Use `deepseek` or `deepinfra` or `deepseek-anthropic`.'],
    ['openai:', "Write '<provider>:<model>', such as 'anthropic:claude-sonnet-5'."],
    ['', "Write '<provider>:<model>', such as 'anthropic:claude-sonnet-5'."],
    ['acme:x', 'Run `interlingua providers` to list the providers, or see docs/reference/providers.md.'],
  ])('%s', (name, hint) => {
    expect(() => model(name)).toThrow(InterlinguaError)
    expect(() => model(name)).toThrow(expect.objectContaining({ code: 'unknown-id', hint }))
  })
})
