import { Controller, Get, Inject, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { AdminAccessGuard } from './admin-access.guard.js';
import { ADMIN_OPTIONS, type HoldfastAdminOptions } from './admin-options.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { DashboardFiles, HASHED_FILES } from './dashboard-files.js';
import { dashboardPage } from './dashboard-page.js';
import { baseHref, mountedPath } from './mount-base.js';
import { PACKAGE_VERSION } from './package-version.js';
import { PageFilter } from './refusal.filter.js';
import { Refusal } from './refusal.js';

const NOT_BUILT =
  'The files of @holdfast/dashboard were not there when the application started. Build that package and start again. The API works without it.';

/**
 * The dashboard: its files by exact name, and its page for every other path, because its router reads the path in the
 * browser. `placeCatchAll` gives it its path.
 */
@Controller()
@UseGuards(AdminAccessGuard)
@UseFilters(PageFilter)
export class StaticAppController {
  readonly #files: DashboardFiles;
  readonly #reply: AdminReply;
  readonly #options: HoldfastAdminOptions;

  constructor(files: DashboardFiles, reply: AdminReply, @Inject(ADMIN_OPTIONS) options: HoldfastAdminOptions) {
    this.#files = files;
    this.#reply = reply;
    this.#options = options;
  }

  @Get()
  show(@Req() request: AdminRequest, @Res() response: unknown): void {
    const { tail } = mountedPath(request);
    const file = this.#files.file(tail);
    if (file !== undefined) this.#reply.file(response, file, request.headers['if-none-match']);
    // The page in place of a script that an older build had would be a riddle in the browser's console.
    else if (tail.startsWith(HASHED_FILES)) throw new Refusal(404, 'FILE_NOT_FOUND', 'The dashboard has no such file.');
    else this.#showPage(request, response);
  }

  #showPage(request: AdminRequest, response: unknown): void {
    const { index } = this.#files;
    if (index === undefined) throw new Refusal(503, 'DASHBOARD_NOT_BUILT', NOT_BUILT);
    const { environment } = this.#options;
    const config = { version: PACKAGE_VERSION, ...(environment === undefined ? {} : { environment }) };
    this.#reply.dashboard(response, dashboardPage(index, baseHref(request), config));
  }
}
