import { defineConfig } from 'vitest/config'

// against real outside systems, which not every machine has; scripts/outside-systems.mjs says which files can run
export default defineConfig({
  test: { include: ['connectors/**/*.outside.ts'], pool: 'forks', maxWorkers: 1, testTimeout: 60_000, hookTimeout: 60_000 },
})
