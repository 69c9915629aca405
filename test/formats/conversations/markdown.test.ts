import fc from 'fast-check'
import { assistant, textOf, user } from 'interlingua'
import { fromMessages } from 'interlingua/formats'
import { markdown } from 'interlingua/formats/markdown'
import { expect, test } from 'vitest'
import { anyText, RUNS } from '../../arbitraries.ts'
import { law } from '../../law-assertions.ts'
import { trickyText } from './markdown-arbitrary.ts'

test('a text that looks like structure stays one text, exactly', () => {
  const text = fc.array(fc.oneof(trickyText, anyText), { minLength: 1, maxLength: 4 })
  law(
    fc.tuple(text, text),
    ([question, answer]) => {
      const given = [user(question.join('\n')), assistant(answer.join('\n'))]
      const [record] = markdown.toMessages(given).value
      const back = fromMessages(record?.markdown).value
      expect(back.map((message) => `${message.role} ${textOf(message)}`)).toEqual(
        given.map((message) => `${message.role} ${textOf(message)}`),
      )
    },
    RUNS,
  )
})

test('fields with separators of lines are those of the message', () => {
  const given = [{ ...user('Hi'), name: 'a\u2028b\u2029c' }]
  const [record] = markdown.toMessages(given).value
  expect(fromMessages(record?.markdown).value).toMatchObject([
    { name: 'a\u2028b\u2029c', content: [{ text: 'Hi' }] },
  ])
})

test('a transcript of a person is read, and its title is the title of the conversation', () => {
  const text = '# Weather\r\n\r\n## User\r\n\r\nHow warm\r\nis it?\r\n\r\n## Assistant\r\n\r\n4 degrees\r\n'
  const [conversation] = markdown.fromConversations(text)
  expect(conversation?.title).toBe('Weather')
  const messages = [...(conversation?.value.messages ?? [])]
  expect(messages.map((message) => textOf(message))).toEqual(['How warm\nis it?', '4 degrees'])
})

test.each([
  ['a part before any message', '### Tool call\n\n## User\n\nHi', '/0/markdown/1'],
  ['a call without JSON', '## Assistant\n\n### Tool call\n\nweather()', '/0/markdown/3'],
])('%s is an error with the number of its line', (_, text, path) => {
  expect(() => markdown.fromConversations(text)).toThrow(
    expect.objectContaining({ code: 'invalid-value', path }),
  )
})
