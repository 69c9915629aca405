import { type ReadonlySignal, signal } from '@preact/signals'

/** The colors of the page: those of the system, or chosen ones. */
export type Theme = 'system' | 'light' | 'dark'

const THEMES: readonly Theme[] = ['system', 'light', 'dark']
const STORAGE_KEY = 'interlingua-theme'

const chosenTheme = signal<Theme>(readTheme())

export const theme: ReadonlySignal<Theme> = chosenTheme

function readTheme(): Theme {
  const stored = localStorage.getItem(STORAGE_KEY)
  return THEMES.find((each) => each === stored) ?? 'system'
}

/** Applies the chosen theme to the page. */
export function applyTheme(): void {
  const chosen = chosenTheme.value
  if (chosen === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = chosen
}

/** Switches to the next theme and stores the choice. */
export function switchTheme(): void {
  const next = THEMES[(THEMES.indexOf(chosenTheme.value) + 1) % THEMES.length] ?? 'system'
  chosenTheme.value = next
  localStorage.setItem(STORAGE_KEY, next)
  applyTheme()
}
