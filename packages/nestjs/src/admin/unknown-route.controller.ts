import { All, Controller, UseFilters, UseGuards } from '@nestjs/common';
import { AdminAccessGuard } from './admin-access.guard.js';
import { ProblemFilter } from './refusal.filter.js';
import { Refusal } from './refusal.js';

/** All else under `api`: never the page, so that a client of the API is never answered with HTML. `placeCatchAll` gives it its path. */
@Controller()
@UseGuards(AdminAccessGuard)
@UseFilters(ProblemFilter)
export class UnknownRouteController {
  @All()
  refuse(): never {
    throw new Refusal(404, 'ROUTE_NOT_FOUND', 'The admin API has no such route, or not with this method.');
  }
}
