import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Relative asset addresses: the Nest module serves these files under whatever path the app chooses.
export default defineConfig({
  base: './',
  plugins: [react()],
  build: { target: 'es2022' },
});
