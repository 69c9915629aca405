import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { toVisibleText } from '../format-values.ts'
import { chat } from './chat-state.ts'

const OTHER = '(other)'

/** Selects the model of the next answer: one of the listed ones, or any `provider:model`. */
export function ModelPicker({ label = 'Model' }: { readonly label?: string }): VNode {
  const [isTyping, setIsTyping] = useState(false)
  useEffect(() => void chat.loadModels().catch(() => {}), [])
  const selected = chat.model.value
  const groups = chat.groups.value
  const isListed = groups.some(({ models }) => models.includes(selected))
  return (
    <div class="row">
      <label class="row">
        <span class="wide-only">{label}</span>
        <select
          value={isTyping ? OTHER : selected}
          onChange={({ currentTarget: { value } }) => {
            setIsTyping(value === OTHER)
            if (value !== OTHER) chat.selectModel(value)
          }}
        >
          {!isListed && <option value={selected}>{selected}</option>}
          {groups.map(({ provider, models, error }) => (
            <optgroup key={provider} label={provider}>
              {error !== undefined && <option disabled>{toVisibleText(error)}</option>}
              {models.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </optgroup>
          ))}
          <option value={OTHER}>Other…</option>
        </select>
      </label>
      {isTyping && (
        <input
          aria-label="Name of the model"
          placeholder="provider:model"
          onChange={({ currentTarget: { value } }) => value.trim() !== '' && chat.selectModel(value.trim())}
        />
      )}
    </div>
  )
}
