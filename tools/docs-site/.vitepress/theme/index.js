// @ts-check
// Without the fonts of the theme: the page uses those of the system.
export { default } from 'vitepress/theme-without-fonts'
