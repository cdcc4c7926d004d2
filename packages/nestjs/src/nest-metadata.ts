import 'reflect-metadata';
import { Body, Injectable, type Type, UseFilters, UseGuards, UseInterceptors, UsePipes } from '@nestjs/common';

/*
 * The keys under which Nest keeps what its own decorators say. They are no part of its public face, so they are read off
 * a class that was decorated for that.
 */

class Decorated {
  method(_first: unknown): void {}
}

Injectable()(Decorated);
export const INJECTABLE_KEYS: readonly string[] = Reflect.getOwnMetadataKeys(Decorated);

const GUARDS = keyOf(UseGuards({ canActivate: () => true }));
const INTERCEPTORS = keyOf(UseInterceptors({ intercept: (_, next) => next.handle() }));
const FILTERS = keyOf(UseFilters({ catch: () => undefined }));
const PIPES = keyOf(UsePipes({ transform: (value: unknown) => value }));

function keyOf(decorator: ClassDecorator): string {
  class Bare {}
  decorator(Bare);
  return Reflect.getOwnMetadataKeys(Bare)[0];
}

Body()(Decorated.prototype, 'method', 0);
/** Under which the decorated parameters of a method are kept, those of `createParamDecorator` too. */
export const PARAMETERS: string = Reflect.getOwnMetadataKeys(Decorated, 'method').find(isAboutParameters)!;
/** The number by which Nest knows parameters that pipes treat as a body. */
export const BODY: number = Number.parseInt(
  Object.keys(Reflect.getOwnMetadata(PARAMETERS, Decorated, 'method'))[0]!,
  10,
);

function isAboutParameters(key: string): boolean {
  return !key.startsWith('design:');
}

/** What of Nest's stands around a method: on it, or on its class. */
export interface Enhancers {
  readonly guards: boolean;
  readonly interceptors: boolean;
  readonly filters: boolean;
  readonly parameters: boolean;
}

export function enhancersOf(type: object, name: string, method: object): Enhancers {
  const isOn = (key: string) => Reflect.hasMetadata(key, method) || Reflect.hasMetadata(key, type);
  return {
    guards: isOn(GUARDS),
    interceptors: isOn(INTERCEPTORS),
    filters: isOn(FILTERS),
    parameters: Reflect.hasMetadata(PARAMETERS, type, name),
  };
}

/** Those around a method and before its parameters that are given as classes: Nest has to make instances of them. */
export function enhancerClassesOf(type: object, name: string, method: object): Type[] {
  const around = [GUARDS, INTERCEPTORS, FILTERS, PIPES].flatMap((key) => [
    Reflect.getMetadata(key, type),
    Reflect.getMetadata(key, method),
  ]);
  const parameters: Record<string, { readonly pipes?: unknown }> = Reflect.getMetadata(PARAMETERS, type, name) ?? {};
  const before = Object.values(parameters).map(({ pipes }) => pipes);
  return [...around, ...before].flat().filter((enhancer) => typeof enhancer === 'function');
}
