import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';

const built = 'dist/built';

// The binary holds each file compressed and alone: every browser takes it so, and the hub unpacks it for who does not.
const compress = {
  name: 'compress',
  apply: 'build',
  closeBundle() {
    for (const entry of readdirSync(built, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = join(entry.parentPath, entry.name);
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: constants.Z_BEST_COMPRESSION }));
      rmSync(file);
    }
  },
};

export default defineConfig({
  plugins: [compress],
  worker: { format: 'es' },
  build: {
    outDir: built,
    emptyOutDir: true,
    target: 'es2023',
    // GraphiQL's editor is as large as it is; it is loaded after the login.
    chunkSizeWarningLimit: 10_000,
    // Of all that is bundled: served at /licenses.
    license: { fileName: 'licenses.md' },
    rollupOptions: {
      input: { graphiql: 'graphiql.html' },
      // "use client" is for servers that render React; there is none here.
      onwarn: (warning, warn) => warning.code === 'MODULE_LEVEL_DIRECTIVE' || warn(warning),
    },
  },
  // `npx vite` beside a hub on its usual port.
  // What the editor's worker imports is not all ES modules, which the build mends by itself and the server when told.
  optimizeDeps: { include: ['nullthrows', 'debounce-promise', 'picomatch-browser', 'vscode-languageserver-types'] },
  server: { proxy: { '/graphql': { target: 'http://127.0.0.1:8080', ws: true } } },
});
