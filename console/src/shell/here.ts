/** The address of the page that is shown, as it is remembered over signing in: path, search and fragment. */
export const here = (): string => `${window.location.pathname}${window.location.search}${window.location.hash}`
