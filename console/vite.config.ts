import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { firstChunk } from './scripts/first-chunk.ts'
import { printFirstLoad } from './scripts/print-first-load.ts'

/** Where the development server finds the service. */
const server = process.env['INSTEP_SERVER'] ?? 'http://127.0.0.1:8080'
const SERVED_ELSEWHERE = ['/v1', '/identity', '/config.json', '/auth/silent-renew']

/** Asks the browser to fetch Inter's Latin subset along with the page instead of after the style sheet. */
const preloadFont = (): Plugin => ({
  name: 'preload-font',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-wght-normal.*\.woff2$/.test(name))
      if (!font) return []
      const attrs = { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${font}`, crossorigin: true }
      return [{ tag: 'link', attrs, injectTo: 'head-prepend' }]
    },
  },
})

const first = firstChunk()

export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), preloadFont(), first.plugin, printFirstLoad()],
  resolve: { alias: { zod: new URL('./src/api/schema-stand-in.ts', import.meta.url).pathname } },
  css: { modules: { localsConvention: 'dashes' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    target: 'es2023',
    // The content security policy admits no data: font or script, and small files are cheap over one connection.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        // What changes seldom stays cached over releases.
        codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 1 }, first.group] },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(SERVED_ELSEWHERE.map((path) => [path, { target: server, changeOrigin: false, xfwd: true }])),
  },
})
