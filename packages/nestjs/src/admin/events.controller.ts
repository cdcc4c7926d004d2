import { Get, Req, Res } from '@nestjs/common';
import { AdminAccess } from './admin-access.js';
import { ApiController } from './admin-controller.decorator.js';
import { AdminReply } from './admin-reply.js';
import type { AdminRequest } from './admin-request.js';
import { EventStreams } from './event-streams.js';

@ApiController('events')
export class EventsController {
  readonly #access: AdminAccess;
  readonly #streams: EventStreams;
  readonly #reply: AdminReply;

  constructor(access: AdminAccess, streams: EventStreams, reply: AdminReply) {
    this.#access = access;
    this.#streams = streams;
    this.#reply = reply;
  }

  @Get()
  stream(@Req() request: AdminRequest, @Res() response: unknown): void {
    const { actor } = this.#access.identityOf(request);
    this.#streams.admit(actor);
    const last = request.headers['last-event-id'];
    const stream = this.#reply.eventStream(response);
    // Frameworks answer HEAD by the handler of GET. Who asks for the headers alone would wait for an end that does not come.
    if (request.method === 'HEAD') stream.end();
    else this.#streams.open(actor, stream, typeof last === 'string' ? last : undefined);
  }
}
