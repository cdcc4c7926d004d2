import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { linksToPages } from './links-to-pages.js';

const root = join(import.meta.dirname, '../..');
const { version } = JSON.parse(readFileSync(join(root, 'packages/core/package.json'), 'utf8')) as { version: string };

/** The pages are those of the repository, where they are: a page says the same on the site and beside the code. */
export default defineConfig({
  title: 'Holdfast',
  description: 'A durable job queue for Node and NestJS that needs no server',
  lang: 'en',
  srcDir: '..',
  outDir: './dist',
  cacheDir: './.vitepress/cache',
  // Only files that are read here: no fonts, no counters, no search service.
  cleanUrls: false,
  srcExclude: ['**/CHANGELOG.md', '.changeset/**', 'site/reference/_media/**', '**/.test-results/**', '**/dist/**'],
  rewrites: (page) => page.replace(/^site\/reference\//, 'reference/').replace(/README\.md$/, 'index.md'),
  markdown: {
    config: (markdown) => markdown.use(linksToPages, root),
  },
  // The pages lie above this folder, where nothing else needs Vue.
  vite: {
    resolve: {
      alias: ['vue/server-renderer', 'vue'].map((find) => ({
        find: new RegExp(`^${find}$`),
        replacement: fileURLToPath(import.meta.resolve(find)),
      })),
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Guide', link: '/docs/nestjs' },
      { text: 'Operating', link: '/docs/operating' },
      { text: 'Reference', link: '/reference/' },
      { text: version, link: '/packages/nestjs/' },
    ],
    sidebar: {
      '/reference/': [
        {
          text: 'Reference',
          items: ['core', 'nestjs', 'testing', 'store-postgres', 'store-mysql', 'contract'].map((name) => ({
            text: `@holdfast/${name}`,
            link: posix.join('/reference/@holdfast', name, '/'),
          })),
        },
      ],
      '/': [
        {
          text: 'Start',
          items: [
            { text: 'What it is', link: '/' },
            { text: 'Quick start with NestJS', link: '/packages/nestjs/' },
            { text: 'Examples', link: '/examples/' },
            { text: 'The demo', link: '/apps/demo/' },
            { text: 'Moving from BullMQ', link: '/docs/moving-from-bullmq' },
            { text: 'Choosing a store', link: '/docs/choosing-a-store' },
            { text: 'Moving a store', link: '/docs/moving-stores' },
            { text: 'Compared with others', link: '/docs/comparison' },
          ],
        },
        {
          text: 'Guides',
          items: [
            { text: 'NestJS', link: '/docs/nestjs' },
            { text: 'How a job runs and ends', link: '/docs/workers' },
            { text: 'Payloads, codecs and schemas', link: '/docs/payloads' },
            { text: 'Handlers in threads and processes', link: '/docs/isolation' },
            { text: 'Testing', link: '/packages/testing/' },
            { text: 'Metrics, traces and health', link: '/docs/telemetry' },
          ],
        },
        {
          text: 'Examples',
          items: [
            { text: 'Without NestJS', link: '/examples/quick-start/' },
            { text: 'Mail', link: '/examples/nest-mail/' },
            { text: 'Webhooks', link: '/examples/nest-webhooks/' },
            { text: 'A job in a transaction', link: '/examples/postgres-outbox/' },
            { text: 'Killed in the midst', link: '/examples/crash-demo/' },
          ],
        },
        {
          text: 'Recipes',
          items: [
            { text: 'Outbox', link: '/docs/recipes/outbox' },
            { text: 'Idempotent handlers', link: '/docs/recipes/idempotent-handlers' },
            { text: 'Webhooks', link: '/docs/recipes/webhooks' },
            { text: 'One mail per order', link: '/docs/recipes/one-mail-per-order' },
            { text: 'Long jobs', link: '/docs/recipes/long-jobs' },
            { text: 'Repeating jobs', link: '/docs/recipes/repeating-jobs' },
          ],
        },
        {
          text: 'Operating',
          items: [
            { text: 'Running it in production', link: '/docs/operating' },
            { text: 'The dashboard', link: '/docs/dashboard' },
            { text: 'REST API', link: '/docs/admin-api' },
            { text: 'Command line', link: '/docs/cli' },
            { text: 'The PostgreSQL store', link: '/docs/postgres-store' },
            { text: 'The MySQL and MariaDB store', link: '/docs/mysql-store' },
            { text: 'Recovery', link: '/docs/recovery' },
          ],
        },
        {
          text: 'How it is built and proved',
          items: [
            { text: 'Architecture', link: '/ARCHITECTURE' },
            { text: 'Life of a job', link: '/docs/job-lifecycle' },
            { text: 'Log format', link: '/docs/log-format' },
            { text: 'Reliability report', link: '/docs/reliability' },
            { text: 'Promises and their tests', link: '/docs/proofs' },
            { text: 'Performance', link: '/docs/performance' },
            { text: 'Notes on performance', link: '/docs/performance-notes' },
            { text: 'Writing a store', link: '/docs/stores' },
            { text: 'Dependencies', link: '/docs/dependencies' },
            { text: 'Contributing', link: '/CONTRIBUTING' },
          ],
        },
      ],
    },
  },
});
