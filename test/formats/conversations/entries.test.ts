import * as formats from 'interlingua/formats'
import * as chatgptExport from 'interlingua/formats/chatgpt-export'
import * as claudeExport from 'interlingua/formats/claude-export'
import * as chatMl from 'interlingua/formats/chatml'
import * as geminiTuning from 'interlingua/formats/gemini-tuning'
import * as harmony from 'interlingua/formats/harmony'
import * as huggingFace from 'interlingua/formats/huggingface'
import * as markdown from 'interlingua/formats/markdown'
import * as openaiFineTuning from 'interlingua/formats/openai-fine-tuning'
import * as shareGpt from 'interlingua/formats/sharegpt'
import { expect, test } from 'vitest'

test('each format of files of conversations is an entry of its own', () => {
  expect(Object.keys(chatgptExport)).toEqual(['chatgptExport'])
  expect(Object.keys(claudeExport)).toEqual(['claudeExport'])
  expect(Object.keys(chatMl)).toEqual(['chatMl'])
  expect(Object.keys(geminiTuning)).toEqual(['geminiTuning'])
  expect(Object.keys(harmony)).toEqual(['harmony'])
  expect(Object.keys(huggingFace)).toEqual(['huggingFace'])
  expect(Object.keys(markdown)).toEqual(['markdown'])
  expect(Object.keys(openaiFineTuning)).toEqual(['openaiFineTuning'])
  expect(Object.keys(shareGpt)).toEqual(['shareGpt'])
})

test('the public surface of interlingua/formats is this and nothing else', () => {
  expect(Object.keys(formats).toSorted()).toEqual([
    'currentBranch',
    'detectConversationFormat',
    'fromConversations',
    'fromMessages',
    'fromTranscript',
    'toConversation',
    'toMessages',
    'toSessionLines',
  ])
})
