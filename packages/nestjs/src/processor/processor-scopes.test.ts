import { type Job, type JobContext, type Queue, type WorkerEvents } from '@holdfast/core';
import { Inject, Injectable, Module, type Provider, Scope } from '@nestjs/common';
import { type ContextId, ContextIdFactory, type HostComponentInfo, REQUEST } from '@nestjs/core';
import { afterEach, describe, expect, it } from 'vitest';
import { EventLog } from '../../test/event-log.js';
import { startApp } from '../../test/start-app.js';
import { InjectJob } from '../decorators/inject.decorators.js';
import { OnJobEvent } from '../decorators/on-job-event.decorator.js';
import { Process } from '../decorators/process.decorator.js';
import { Processor } from '../decorators/processor.decorator.js';
import { HoldfastModule } from '../holdfast.module.js';
import { getQueueToken } from '../holdfast.tokens.js';
import { JobRequest } from './job-scope.js';
import { WorkerHost } from './worker-host.js';

interface MailJobs {
  send: { tenant: string };
  fail: { tenant: string };
}

const registerMail = () =>
  HoldfastModule.registerQueue({
    name: 'mail',
    defaults: { maxAttempts: 2, backoff: { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' } },
  });

/** Counts its instances. */
@Injectable({ scope: Scope.REQUEST })
class Basket {
  static made = 0;
  readonly number = ++Basket.made;
  readonly things: string[] = [];

  constructor(@InjectJob() readonly job: Job<MailJobs['send']>) {}
}

@Processor('mail')
class Mailer {
  constructor(
    private readonly basket: Basket,
    private readonly log: EventLog,
  ) {}

  @Process('send')
  async send(job: Job<MailJobs['send']>, context: JobContext) {
    this.basket.things.push(`${job.id === this.basket.job.id} ${this.basket.job.payload.tenant} ${context.attempt}`);
  }

  @Process('fail')
  fail() {
    this.basket.things.push('failing');
    throw new RangeError('no such street');
  }

  @OnJobEvent('completed')
  @Reflect.metadata('irrelevant', true)
  onCompleted({ job }: WorkerEvents['completed']) {
    this.log.add(`${job.name}: ${this.basket.things}`);
  }
}

/** Another class, another module, hooks alone. */
@Processor('mail')
class Observer {
  constructor(
    private readonly basket: Basket,
    private readonly log: EventLog,
  ) {}

  @OnJobEvent('completed')
  onCompleted() {
    this.log.add(`observed ${this.basket.things}`);
  }

  @OnJobEvent('failed')
  onFailed({ job }: WorkerEvents['failed']) {
    this.log.add(`failed ${job.attempt} ${this.basket.things}`);
  }

  @OnJobEvent('dead')
  onDead({ job }: WorkerEvents['dead']) {
    this.log.add(`dead ${job.attempt} ${this.basket.things}`);
  }
}

@Module({ imports: [registerMail()], providers: [Mailer, Basket], exports: [Basket] })
class MailModule {}

@Module({ imports: [MailModule, registerMail()], providers: [Observer] })
class ObserverModule {}

async function startMail(...modules: (new () => unknown)[]) {
  const { app, log } = await startApp({ imports: [MailModule, ...modules] });
  const mail = app.select(MailModule).get<Queue<MailJobs>>(getQueueToken<MailJobs>('mail'));
  Basket.made = 0;
  return { app, log, mail };
}

describe('request-scoped classes', () => {
  it('are made once an attempt, by constructor, and shared by its handler and its hooks in every module', async () => {
    const { log, mail } = await startMail(ObserverModule);
    await mail.enqueue('send', { tenant: 'ada' });
    await Promise.all([log.seen('send: true ada 1'), log.seen('observed true ada 1')]);
    expect(Basket.made).toBe(1);
    await mail.enqueue('fail', { tenant: 'bob' });
    await log.seen('dead 2 failing');
    expect(log.entries).toContain('failed 1 failing');
    expect(Basket.made).toBe(3);
  });

  it('of jobs that run at the same time are kept apart', async () => {
    const { log, mail } = await startMail(ObserverModule);
    const tenants = Array.from({ length: 50 }, (_, index) => `tenant ${index}`);
    await mail.enqueueMany(tenants.map((tenant) => ({ name: 'send', payload: { tenant } })));
    await Promise.all(tenants.map((tenant) => log.seen(`observed true ${tenant} 1`)));
    expect(Basket.made).toBe(50);
  });

  it('make hooks work for a job whose payload nobody can read, and for events without a job', async () => {
    @Processor('mail')
    class Undertaker {
      constructor(
        @InjectJob() private readonly job: Partial<Job> | undefined,
        @Inject(REQUEST) private readonly request: JobRequest,
        private readonly log: EventLog,
      ) {}

      @Process()
      handle() {}

      @OnJobEvent('dead')
      onDead() {
        const { job, context } = this.request;
        this.log.add(`dead ${this.job?.name} ${this.job?.payload} ${job === this.job} ${context}`);
      }
    }
    const codec = {
      encode: () => 'unreadable',
      decode: () => {
        throw new SyntaxError('not of this world');
      },
    };
    const { app, log } = await startApp({
      imports: [HoldfastModule.registerQueue({ name: 'mail', codec })],
      providers: [Undertaker],
    });
    await app.get(getQueueToken('mail')).enqueue('letter', null);
    await log.seen('dead letter undefined true undefined');
  });

  it('that cannot be made fail the attempt, and the next one tries again', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Flaky {
      static tries = 0;
      constructor() {
        if (Flaky.tries++ === 0) throw new RangeError('out of stamps');
      }
    }
    @Processor('mail')
    class FlakyMailer {
      constructor(
        _flaky: Flaky,
        private readonly log: EventLog,
      ) {}

      @Process('send')
      send({ attempt }: Job) {
        this.log.add(`sent in attempt ${attempt}`);
      }
    }
    const { app, log } = await startApp({ imports: [registerMail()], providers: [FlakyMailer, Flaky] });
    await app.get(getQueueToken('mail')).enqueue('send', null);
    await log.seen('sent in attempt 2');
  });

  it.each<[string, (type: new (log: EventLog) => object) => Provider]>([
    ['by class', (type) => type],
    ['under a token of its own', (type) => ({ provide: 'MAILER', useClass: type })],
  ])('may be a processor itself, by its options, provided %s', async (_, provide) => {
    const seen = new Set<object>();
    @Processor('mail', { scope: Scope.REQUEST })
    class Own extends WorkerHost {
      constructor(private readonly log: EventLog) {
        super();
      }

      process({ name }: Job) {
        seen.add(this);
        this.log.add(name);
      }
    }
    const { app, log } = await startApp({ imports: [registerMail()], providers: [provide(Own)] });
    const mail = app.get(getQueueToken('mail'));
    await mail.enqueue('one', null);
    await mail.enqueue('two', null);
    await Promise.all([log.seen('one'), log.seen('two')]);
    expect(seen.size).toBe(2);
  });
});

it('a transient processor is made for each attempt', async () => {
  const seen = new Set<object>();
  @Processor('mail')
  @Injectable({ scope: Scope.TRANSIENT })
  class Own {
    constructor(private readonly log: EventLog) {}

    @Process()
    handle({ name }: Job) {
      seen.add(this);
      this.log.add(name);
    }
  }
  const { app, log } = await startApp({ imports: [registerMail()], providers: [Own] });
  const mail = app.get(getQueueToken('mail'));
  await mail.enqueue('one', null);
  await mail.enqueue('two', null);
  await Promise.all([log.seen('one'), log.seen('two')]);
  expect(seen.size).toBe(2);
});

describe('durable classes', () => {
  const tenants = new Map<string, ContextId>();

  afterEach(() => {
    tenants.clear();
    ContextIdFactory.apply({ attach: () => undefined });
  });

  it('are shared by the jobs that the strategy puts together', async () => {
    @Injectable({ scope: Scope.REQUEST, durable: true })
    class TenantPool {
      static made = 0;
      readonly number = ++TenantPool.made;
      constructor(@Inject(REQUEST) readonly shared: { tenant: string }) {}
    }
    @Processor('mail')
    class TenantMailer {
      constructor(
        private readonly pool: TenantPool,
        private readonly log: EventLog,
      ) {}

      @Process('send')
      send() {
        this.log.add(`sent by ${this.pool.shared.tenant}`);
      }

      @OnJobEvent('completed')
      onCompleted() {
        this.log.add(`completed by ${this.pool.shared.tenant}`);
      }
    }
    ContextIdFactory.apply({
      attach(contextId, request: unknown) {
        if (!(request instanceof JobRequest)) return undefined;
        const { tenant } = (request.job as Job<MailJobs['send']>).payload;
        const shared = tenants.get(tenant) ?? ContextIdFactory.create();
        tenants.set(tenant, shared);
        const resolve = ({ isTreeDurable }: HostComponentInfo) => (isTreeDurable ? shared : contextId);
        return { resolve, payload: { tenant } };
      },
    });
    const { app, log } = await startApp({ imports: [registerMail()], providers: [TenantMailer, TenantPool] });
    const mail = app.get(getQueueToken<MailJobs>('mail'));
    await mail.enqueueMany(['a', 'b', 'a', 'b', 'a'].map((tenant) => ({ name: 'send', payload: { tenant } })));
    await Promise.all([log.seen('completed by a', 3), log.seen('completed by b', 2), log.seen('sent by a', 3)]);
    expect(TenantPool.made).toBe(2);
  });
});
