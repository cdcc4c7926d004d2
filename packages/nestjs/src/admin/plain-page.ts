import { createHash } from 'node:crypto';
import type { Problem } from '@holdfast/contract';
import { htmlText } from './html-text.js';

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 ui-sans-serif, system-ui, sans-serif; }
body { max-width: 42rem; margin: 12vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.25rem; }
pre { padding: 1rem; overflow-x: auto; border: 1px solid; border-radius: 6px; font: 13px/1.5 ui-monospace, monospace; }
footer { margin-top: 2rem; font-size: 0.75rem; opacity: 0.75; }`;

/** Lets the page's own style pass its content security policy, and no other. */
export const PLAIN_PAGE_STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;

const HOW_TO_OPEN = `HoldfastAdminModule.forRoot({
  path: '/admin/queues',
  authorize: ({ request }: AdminContext<{ user?: User }>) =>
    request.user?.isStaff
      ? { role: 'operator', actor: request.user.email }
      : null,
})`;

/** A page without scripts that says why there is no dashboard, and what to do. */
export function plainPage(problem: Problem): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${htmlText(heading(problem))} · Holdfast</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${htmlText(heading(problem))}</h1>
<p>${htmlText(problem.detail)}</p>
${problem.code === 'ACCESS_CLOSED' ? nextStep() : ''}
</main>
<footer>${htmlText(problem.code)} · request ${htmlText(problem.requestId)}</footer>
</body>
</html>
`;
}

function heading(problem: Problem): string {
  if (problem.code === 'ACCESS_CLOSED') return 'This dashboard is closed';
  if (problem.code === 'DASHBOARD_NOT_BUILT') return 'The dashboard is not built';
  return problem.title;
}

function nextStep(): string {
  return `<p>It stays closed until the application says who may enter. Give the module a function that names the role
(<code>viewer</code>, <code>operator</code> or <code>admin</code>) and the person, or answers <code>null</code>:</p>
<pre>${htmlText(HOW_TO_OPEN)}</pre>
<p>On your own machine, <code>allowLoopbackInDevelopment: true</code> opens it without one.
It does not count with <code>NODE_ENV=production</code> or through a proxy.</p>`;
}
