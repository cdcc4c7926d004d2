import { Body, Controller, Get, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { ValidationPipe } from '../http/validation.pipe.js';
import { Receiver, type ReceiverReport } from './receiver.js';

const breakForm = z
  .object({ answer: z.enum(['error', 'hang', 'gone'], 'must be "error", "hang" or "gone"').optional() })
  .optional();

/** Stands for the telephone call to those who run the receiver. */
@Controller('receiver')
export class ReceiverController {
  constructor(private readonly receiver: Receiver) {}

  @Get()
  report(): ReceiverReport {
    return this.receiver.report();
  }

  /** From now on it answers well. */
  @Post('mend')
  @HttpCode(200)
  mend(): ReceiverReport {
    this.receiver.setMood('mended');
    return this.receiver.report();
  }

  /** From now on it fails at times, or always in the way that `answer` names. */
  @Post('break')
  @HttpCode(200)
  break(@Body(new ValidationPipe(breakForm)) form: z.infer<typeof breakForm>): ReceiverReport {
    this.receiver.setMood(form?.answer ?? 'moody');
    return this.receiver.report();
  }
}
