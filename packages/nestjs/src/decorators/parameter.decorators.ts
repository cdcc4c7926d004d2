import { type JobContext as Context, type Job } from '@holdfast/core';
import { Body, createParamDecorator, type PipeTransform, type Type } from '@nestjs/common';
import { jobArguments } from '../processor/job-arguments.js';

type Pipe = PipeTransform | Type<PipeTransform>;

/**
 * The payload of the job, or one property of it, through pipes if any are given. Pipes see it as a body, so that
 * `ValidationPipe` checks a payload whose parameter has a class for its type.
 */
export function Payload(...pipes: Pipe[]): ParameterDecorator;
export function Payload(property: string, ...pipes: Pipe[]): ParameterDecorator;
export function Payload(first?: string | Pipe, ...pipes: Pipe[]): ParameterDecorator {
  if (typeof first === 'string') return Body(first, ...pipes);
  return first === undefined ? Body(...pipes) : Body(first, ...pipes);
}

/** The job: what a handler without such decorators gets first. */
export const CurrentJob = createParamDecorator((_, host): Job | undefined => jobArguments(host)?.job);

/** What the handler may use while it works: what a handler without such decorators gets second. */
export const JobContext = createParamDecorator((_, host): Context | undefined => jobArguments(host)?.context);
export type JobContext = Context;
