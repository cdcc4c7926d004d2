import { All, Controller, UseFilters, UseGuards, VERSION_NEUTRAL } from '@nestjs/common';
import { AdminAccessGuard } from './admin-access.guard.js';
import { ProblemFilter } from './refusal.filter.js';
import { Refusal } from './refusal.js';

/** All else under `api`: never the page, so that a client of the API is never answered with HTML. */
@Controller({ path: 'api', version: VERSION_NEUTRAL })
@UseGuards(AdminAccessGuard)
@UseFilters(ProblemFilter)
export class UnknownRouteController {
  @All(['', '*path'])
  refuse(): never {
    throw new Refusal(404, 'ROUTE_NOT_FOUND', 'The admin API has no such route, or not with this method.');
  }
}
