import type { AdminEnvironment } from './admin-options.js';
import { htmlText, scriptSafeJson } from './html-text.js';

/** What the dashboard reads from the element `holdfast-config` before its first request. */
export interface DashboardConfig {
  readonly version: string;
  readonly environment?: AdminEnvironment;
}

const HEAD = /<head[^>]*>/i;

/** The built page with its mount and its config at the very start of its head, before anything that has a relative address. */
export function dashboardPage(index: string, baseHref: string, config: DashboardConfig): string {
  const head = HEAD.exec(index);
  const at = head === null ? 0 : head.index + head[0].length;
  const added = `
    <base href="${htmlText(baseHref)}">
    <script type="application/json" id="holdfast-config">${scriptSafeJson(config)}</script>`;
  return index.slice(0, at) + added + index.slice(at);
}
