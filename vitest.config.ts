import { defineConfig } from "vitest/config";

// Two projects: `unit` needs no weights and stays fast; `with-model` loads real weights, one file at a time.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/with-model/**", "test/installed/**"],
          setupFiles: ["test/random-seed.ts"],
          // A bound for what hangs, not for what is slow: a busy machine takes ten times as long.
          testTimeout: 120_000,
          // All cores: by default one is left free, which on two cores doubles the time.
          maxWorkers: "100%",
        },
      },
      {
        test: {
          name: "with-model",
          include: ["test/with-model/**/*.test.ts"],
          testTimeout: 1_800_000,
          hookTimeout: 600_000,
          fileParallelism: false,
          pool: "forks",
        },
      },
    ],
  },
});
