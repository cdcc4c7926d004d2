import 'reflect-metadata';
import { Injectable } from '@nestjs/common';

/*
 * The keys under which Nest keeps what its own decorators say. They are no part of its public face, so they are read off
 * classes that were decorated for that.
 */

class Injected {}
Injectable()(Injected);

export const INJECTABLE_KEYS: readonly string[] = Reflect.getOwnMetadataKeys(Injected);
