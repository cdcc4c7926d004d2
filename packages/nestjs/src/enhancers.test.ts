import { type Job } from '@holdfast/core';
import {
  type ArgumentMetadata,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  Catch,
  createParamDecorator,
  type ExceptionFilter,
  type ExecutionContext,
  Injectable,
  Module,
  type NestInterceptor,
  ParseIntPipe,
  type PipeTransform,
  Query,
  Scope,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, Reflector } from '@nestjs/core';
import { EMPTY, map, of, tap, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp } from '../test/start-app.js';
import { InjectJob } from './decorators/inject.decorators.js';
import { OnJobEvent } from './decorators/on-job-event.decorator.js';
import { CurrentJob, JobContext, Payload } from './decorators/parameter.decorators.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken } from './holdfast.tokens.js';
import { jobArguments } from './processor/job-arguments.js';

const registerMail = () => HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 1 } });

@Injectable()
class RoleGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly log: EventLog,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const role: string = this.reflector.get('role', context.getHandler());
    this.log.add(`guard of ${context.getClass().name}.${context.getHandler().name} for ${role}`);
    return role !== 'nobody';
  }
}

@Injectable()
class Passing implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle();
  }
}

@Injectable()
class Wrapping implements NestInterceptor {
  constructor(private readonly log: EventLog) {}

  intercept(context: ExecutionContext, next: CallHandler) {
    this.log.add(`before ${jobArguments(context)?.job.name}`);
    return next.handle().pipe(
      tap(() => this.log.add('after')),
      map((result) => ({ wrapped: result })),
    );
  }
}

@Catch(RangeError)
class Rescue implements ExceptionFilter<RangeError> {
  catch({ message }: RangeError, host: ArgumentsHost) {
    return { rescued: message, attempt: jobArguments(host)?.context.attempt };
  }
}

@Processor('mail')
@UseInterceptors(Wrapping)
class Mailer {
  constructor(private readonly log: EventLog) {}

  @Process('send')
  @UseGuards(RoleGuard)
  @SetMetadata('role', 'clerk')
  send({ payload }: Job<{ to: string }>, { attempt }: JobContext) {
    return `${payload.to} ${attempt}`;
  }

  @Process('refused')
  @UseGuards(RoleGuard)
  @SetMetadata('role', 'nobody')
  refused() {
    this.log.add('ran all the same');
  }

  @Process('rescued')
  @UseFilters(Rescue)
  rescued() {
    throw new RangeError('no such street');
  }

  @OnJobEvent('dead')
  onDead({ error }: { error: unknown }) {
    this.log.add(`dead: ${error}`);
  }

  @OnJobEvent('completed')
  onCompleted({ job }: { job: { name: string } }) {
    this.log.add(`completed ${job.name}`);
  }
}

async function run(
  name: string,
  payload: unknown,
  providers: Parameters<typeof startApp>[0]['providers'],
  options = {},
) {
  const { app, log } = await startApp({ imports: [registerMail()], providers: providers ?? [] }, options);
  const mail = app.get(getQueueToken('mail'));
  const { id } = await mail.enqueue(name, payload);
  await expect.poll(async () => (await mail.job(id))?.state).toMatch(/completed|dead/);
  return { job: await mail.job(id), log };
}

describe('on a handler or its class', () => {
  it('a guard and an interceptor stand around it, and see class, method and job', async () => {
    const { job, log } = await run('send', { to: 'ada' }, [Mailer]);
    expect(job).toMatchObject({ state: 'completed', result: { wrapped: 'ada 1' } });
    expect(log.entries.slice(0, 3)).toEqual(['guard of Mailer.send for clerk', 'before send', 'after']);
  });

  it('a guard that refuses fails the attempt before the handler', async () => {
    const { job, log } = await run('refused', null, [Mailer]);
    expect(job).toMatchObject({ state: 'dead' });
    expect(job?.attemptLog[0]?.error?.class).toBe('ForbiddenException');
    expect(log.entries).not.toContain('ran all the same');
  });

  it('a filter answers for what it catches', async () => {
    const { job } = await run('rescued', null, [Mailer]);
    expect(job).toMatchObject({ state: 'completed', result: { rescued: 'no such street', attempt: 1 } });
  });

  it('a filter that answers nothing, or that catches something else, leaves the attempt failed', async () => {
    @Catch(RangeError)
    class Silent implements ExceptionFilter {
      catch() {}
    }
    @Processor('mail')
    @UseFilters(Silent)
    class Failing {
      @Process('caught')
      caught() {
        throw new RangeError('no such street');
      }

      @Process('uncaught')
      uncaught() {
        throw new TypeError('no such town');
      }
    }
    for (const [name, error] of [
      ['caught', 'RangeError'],
      ['uncaught', 'TypeError'],
    ] as const) {
      const { job } = await run(name, null, [Failing]);
      expect([job?.state, job?.attemptLog[0]?.error?.class]).toEqual(['dead', error]);
    }
  });

  it('a request-scoped guard is made for the job, with what the handler gets', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class PerJob implements CanActivate {
      constructor(
        @InjectJob() private readonly job: Job,
        private readonly log: EventLog,
      ) {}

      canActivate(): boolean {
        this.log.add(`guarding ${this.job.name}`);
        return true;
      }
    }
    @Processor('mail')
    class Guarded {
      @Process()
      @UseGuards(PerJob)
      handle(job: Job) {
        return job.payload;
      }
    }
    const { job, log } = await run('any', 7, [Guarded]);
    expect(job).toMatchObject({ state: 'completed', result: 7 });
    expect(log.entries).toEqual(['guarding any']);
  });
});

describe('parameters', () => {
  const Attempt = createParamDecorator((label: string, host) => `${label} ${jobArguments(host)?.context.attempt}`);

  @Injectable()
  class Noting implements PipeTransform {
    constructor(private readonly log: EventLog) {}

    transform(value: unknown, { type, metatype, data }: ArgumentMetadata) {
      this.log.add(`${type} ${metatype?.name} ${data}`);
      return value;
    }
  }

  class Letter {
    to!: string;
    pages!: string;
  }

  @Processor('mail')
  class Decorated {
    @Process('whole')
    @UsePipes(Noting)
    whole(@Payload() letter: Letter, @CurrentJob() job: Job, @JobContext() { attempt }: JobContext) {
      return [letter.to, job.name, attempt];
    }

    @Process('parts')
    parts(
      @Attempt('attempt') attempt: string,
      @Payload('pages', ParseIntPipe) pages: number,
      @Payload('toString') absent: unknown,
    ) {
      return [attempt, pages, absent ?? 'absent'];
    }

    @Process('mistaken')
    mistaken(@Query() query: unknown) {
      return query;
    }
  }

  it('are the payload, the job and its context, through the pipes', async () => {
    const { job, log } = await run('whole', { to: 'ada', pages: '3' }, [Decorated]);
    expect(job?.result).toEqual(['ada', 'whole', 1]);
    expect(log.entries).toContain('body Letter undefined');
  });

  it('are properties of the payload, piped, or what decorators of your own make', async () => {
    expect((await run('parts', { pages: '3' }, [Decorated])).job?.result).toEqual(['attempt 1', 3, 'absent']);
  });

  it('that a pipe refuses fail the attempt', async () => {
    const { job } = await run('parts', { pages: 'many' }, [Decorated]);
    expect([job?.state, job?.attemptLog[0]?.error?.class]).toEqual(['dead', 'BadRequestException']);
  });

  it('of requests say what to use', async () => {
    const { job } = await run('mistaken', null, [Decorated]);
    expect(job?.attemptLog[0]?.error?.message).toMatch(/decorated with @Payload/);
  });
});

describe('what is global in the application', () => {
  @Injectable()
  class NeedsUser implements CanActivate {
    canActivate(context: ExecutionContext): boolean {
      const [job] = context.getArgs<[Job<object>]>();
      return 'user' in job.payload;
    }
  }

  @Catch()
  class Everything implements ExceptionFilter {
    catch() {
      return 'caught by the global filter';
    }
  }

  @Processor('mail')
  class Plain {
    @Process()
    handle({ payload }: Job<{ fail?: boolean }>) {
      if (payload.fail) throw new RangeError('no');
      return 'handled';
    }
  }

  const globals = [
    { provide: APP_GUARD, useClass: NeedsUser },
    { provide: APP_INTERCEPTOR, useClass: Wrapping },
    { provide: APP_FILTER, useClass: Everything },
    { provide: APP_PIPE, useValue: { transform: () => 'piped' } },
  ];

  it('does not stand around handlers, which are no requests', async () => {
    expect((await run('any', {}, [Plain, ...globals])).job?.result).toBe('handled');
  });

  it('does with globalEnhancers: true', async () => {
    const run1 = await run('any', { user: 'ada' }, [Plain, ...globals], { globalEnhancers: true });
    expect(run1.job?.result).toEqual({ wrapped: 'handled' });
    const run2 = await run('any', {}, [Plain, ...globals], { globalEnhancers: true });
    expect(run2.job?.result).toBe('caught by the global filter');
    const run3 = await run('any', { user: 'ada', fail: true }, [Plain, ...globals], { globalEnhancers: true });
    expect(run3.job?.result).toBe('caught by the global filter');
  });
});

it.each([Scope.REQUEST, Scope.TRANSIENT])(
  'a global guard of scope %s does not fit globalEnhancers: it would stand there unconstructed',
  async (scope) => {
    @Injectable({ scope })
    class PerRequest implements CanActivate {
      constructor(private readonly reflector: Reflector) {}
      canActivate(context: ExecutionContext) {
        return this.reflector.get('role', context.getHandler()) === undefined;
      }
    }
    const providers = [Mailer, { provide: APP_GUARD, useClass: PerRequest }];
    await expect(run('send', { to: 'ada' }, providers, { globalEnhancers: true })).rejects.toThrow(
      'globalEnhancers is true, but must be false beside PerRequest',
    );
    expect((await run('send', { to: 'ada' }, providers)).job?.state).toBe('completed');
  },
);

it('two classes of one name, one of them under a token of its own, keep their own guards', async () => {
  const guardOf = (name: string, token?: string) => {
    @Injectable()
    class Named implements CanActivate {
      constructor(private readonly log: EventLog) {}
      canActivate() {
        this.log.add(`guard of ${name}`);
        return true;
      }
    }
    @Processor('mail')
    @UseGuards(Named)
    class Same {
      @Process(name)
      handle(@Payload(name) part: unknown) {
        return part;
      }
    }
    const provider = token === undefined ? Same : { provide: token, useClass: Same };
    @Module({ imports: [registerMail()], providers: [provider] })
    class Home {}
    return Home;
  };
  const { app, log } = await startApp({ imports: [guardOf('one'), guardOf('two', 'OTHER'), registerMail()] });
  const mail = app.get(getQueueToken('mail'));
  const ids = [await mail.enqueue('one', { one: 1, two: 2 }), await mail.enqueue('two', { one: 1, two: 2 })];
  await expect.poll(() => mail.counts()).toMatchObject({ completed: 2 });
  const results = await Promise.all(ids.map(async ({ id }) => (await mail.job(id))?.result));
  expect(results).toEqual([1, 2]);
  expect(log.entries.toSorted()).toEqual(['guard of one', 'guard of two']);
});

describe('guards of a processor', () => {
  @Injectable()
  class Refusing implements CanActivate {
    canActivate() {
      return false;
    }
  }

  @Processor('mail')
  @UseGuards(Refusing)
  class Guarded {
    @Process()
    handle() {}
  }

  it('stand around it though a module that Nest scans earlier knows it by another name', async () => {
    @Module({ imports: [registerMail()], providers: [Guarded], exports: [Guarded] })
    class Home {}
    const { app } = await startApp({
      imports: [Home, registerMail()],
      providers: [{ provide: 'ALIAS', useExisting: Guarded }],
    });
    const mail = app.get(getQueueToken('mail'));
    const { id } = await mail.enqueue('any', null);
    await expect.poll(async () => (await mail.job(id))?.state).toMatch(/completed|dead/);
    expect((await mail.job(id))?.attemptLog[0]?.error?.class).toBe('ForbiddenException');
  });

  it('of which Nest makes no instance fail the boot, instead of being left out', async () => {
    const providers = [{ provide: Guarded, useFactory: () => new Guarded() }];
    const boot = startApp({ imports: [registerMail()], providers });
    await expect(boot).rejects.toThrow(
      /provider of Guarded .*Nest makes no Refusing, and Guarded\.handle would run without/,
    );
  });

  it('and pipes that are given as instances need none', async () => {
    @Processor('mail')
    @UseGuards(new Refusing())
    class GuardedByInstance {
      @Process()
      handle(@Payload(new ParseIntPipe()) _pages: number) {}
    }
    const provider = { provide: GuardedByInstance, useFactory: () => new GuardedByInstance() };
    const { job } = await run('any', '3', [provider]);
    expect(job?.attemptLog[0]?.error?.class).toBe('ForbiddenException');
  });

  it('count also where only a pipe of a parameter is a class', async () => {
    @Processor('mail')
    class Piped {
      @Process()
      handle(@Payload('pages', ParseIntPipe) _pages: number) {}
    }
    const boot = startApp({ imports: [registerMail()], providers: [{ provide: 'PIPED', useValue: new Piped() }] });
    await expect(boot).rejects.toThrow(/Nest makes no ParseIntPipe/);
  });
});

describe('an Observable', () => {
  const subscribed: string[] = [];

  const sending = (name: string) =>
    timer(1).pipe(
      tap(() => subscribed.push(name)),
      map(() => `${name} sent`),
    );

  @Processor('mail')
  class Sender {
    @Process('plain')
    plain() {
      return sending('plain');
    }

    @Process('promised')
    async promised() {
      return sending('promised');
    }

    @Process('intercepted')
    @UseInterceptors(Wrapping)
    intercepted() {
      return sending('intercepted');
    }

    @Process('empty')
    empty() {
      return EMPTY;
    }

    @Process('intercepted-empty')
    @UseInterceptors(Passing)
    interceptedEmpty() {
      return EMPTY;
    }

    @Process('failing')
    failing() {
      return of(1).pipe(
        map(() => {
          throw new RangeError('no such street');
        }),
      );
    }
  }

  @Processor('mail', { scope: Scope.REQUEST })
  class ScopedSender {
    @Process('scoped')
    scoped() {
      return sending('scoped');
    }
  }

  it.each([
    ['plain', 'plain sent'],
    ['promised', 'promised sent'],
    ['scoped', 'scoped sent'],
    ['intercepted', { wrapped: 'intercepted sent' }],
  ])('that a handler returns is worked off, and its last value is the result: %s', async (name, result) => {
    const { job } = await run(name, null, [Sender, ScopedSender]);
    expect(job).toMatchObject({ state: 'completed', result });
    expect(subscribed).toContain(name);
  });

  it.each(['empty', 'intercepted-empty'])('without a value completes the job without a result: %s', async (name) => {
    const { job } = await run(name, null, [Sender]);
    expect(job).toMatchObject({ state: 'completed' });
    expect(job).not.toHaveProperty('result');
  });

  it('that fails fails the attempt', async () => {
    const { job } = await run('failing', null, [Sender]);
    expect(job).toMatchObject({ state: 'dead', attemptLog: [{ error: { class: 'RangeError' } }] });
  });
});
