import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Relative asset addresses: the Nest module serves these files under whatever path the app chooses.
export default defineConfig({
  base: './',
  plugins: [react()],
  build: {
    target: 'es2022',
    // React and the rest are inside of the files, and ask that their licences go along.
    license: { fileName: 'licences.txt' },
    // Every file is its own request: the content security policy allows no data in scripts, styles or fonts.
    assetsInlineLimit: 0,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:4600' } },
});
