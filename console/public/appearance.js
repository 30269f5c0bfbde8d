// Sets the remembered colour scheme before the first paint; the console keeps it up to date afterwards.
;(() => {
  let theme
  try {
    theme = JSON.parse(localStorage.getItem('instep')).state.theme
  } catch {
    theme = 'system'
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
