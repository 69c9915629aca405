import fc from 'fast-check'
import { Messages, type Part, ROLES, user } from 'interlingua'
import { describe, expect, test } from 'vitest'
import { anyJson, anyMessage, anyMessages, anyText } from '../../arbitraries.ts'
import { expectSame, law } from '../../law-assertions.ts'

const few = fc.array(anyMessage, { maxLength: 3 })

describe('laws of sharing', () => {
  test('[r129] two conversations that grow from one never see each other’s messages', () => {
    law(fc.tuple(few, few, few), ([base, left, right]) => {
      const root = Messages.from(base)
      let [a, b] = [root, root]
      for (let index = 0; index < Math.max(left.length, right.length); index++) {
        a = a.append(left.slice(index, index + 1))
        b = b.append(right.slice(index, index + 1))
      }
      expectSame(a.toArray(), [...base, ...left])
      expectSame(b.toArray(), [...base, ...right])
      expectSame(a.append(b).toArray(), [...base, ...left, ...base, ...right])
      expectSame(b.append(b).toArray(), [...base, ...right, ...base, ...right])
      expectSame(root.toArray(), base)
    })
  })

  test('[r129, r154] a conversation may grow while it is read', () => {
    const messages = Messages.of('1', '2')
    function* echo(): Generator<string> {
      for (const message of messages) {
        yield `again ${messages.append('aside').size}`
        yield message.id
      }
    }
    const grown = messages.append(echo())
    expect(grown.slice(2).map(({ content: [part] }) => part)).toEqual(
      ['again 3', messages.at(0)?.id, 'again 3', messages.at(1)?.id].map((text) => ({ type: 'text', text })),
    )
    expect(messages.toText()).toBe('1\n2')
  })

  test('[r129] ten thousand values of one chain all stay what they were, and fork anywhere', () => {
    const ready = Array.from({ length: 10_000 }, (_, index) => user(String(index), { id: `m${index}` }))
    const chain = [Messages.of()]
    for (const message of ready) chain.push((chain.at(-1) ?? Messages.of()).append(message))
    const wrong = chain.filter(
      (messages, size) =>
        messages.size !== size || messages.last() !== ready[size - 1] || messages.has(`m${size}`),
    )
    expect(wrong).toEqual([])
    const whole = chain.at(-1)
    const fork = chain[5_000]?.append(user('fork', { id: 'm7000' }))
    expect([fork?.size, fork?.toText().slice(-9)]).toEqual([5_001, '4999\nfork'])
    expect(fork?.get('m7000')).toBe(fork?.last())
    expect(whole?.get('m7000')).toBe(ready[7_000])
    expect(whole?.toArray()).toEqual(ready)
  })

  test('[r154] what is kept of a conversation is shared, and all of it is the same value', () => {
    law(fc.tuple(anyMessages, fc.subarray([...ROLES])), ([list, roles]) => {
      const messages = Messages.from(list)
      const own = new Set(messages)
      const kept = [messages.byRoles(...roles), messages.dropWhileRoles(...roles), messages.withoutEmpty()]
      for (const some of [...kept, messages.reversed(), messages.append('x').slice(0, -1)]) {
        expect(some.toArray().every((message) => own.has(message))).toBe(true)
      }
      for (const some of kept) expect(some === messages).toBe(some.size === messages.size)
    })
  })
})

describe('laws of rounds and part fields', () => {
  test('[C1] rounds that are split join to what they join to unsplit', () => {
    law(anyMessages, (list) => {
      const messages = Messages.from(list)
      const again = messages.splitToolResults().joinToolResults()
      expectSame(again.toArray(), messages.joinToolResults().toArray())
    })
  })

  test('[r107, C30] an unknown field is kept in extra.unknown of the last part alone', () => {
    const key = anyText.map((name) => `x_${name}`)
    const spoken = anyMessage.filter(({ role }) => role !== 'tool')
    law(fc.tuple(few, spoken, key, anyJson), ([list, last, name, value]) => {
      const parts: readonly Part[] = last.content.length > 0 ? last.content : [{ type: 'text', text: '' }]
      const marked = parts.map((part, index) => {
        const { extra = {} } = part
        const unknown = { ...extra['unknown'], [name]: value }
        return index < parts.length - 1 ? part : { ...part, extra: { ...extra, unknown } }
      })
      const changed = Messages.from([...list, last]).withPartField(name, value)
      expectSame(changed.toArray(), [...list, { ...last, content: marked }])
    })
  })
})
