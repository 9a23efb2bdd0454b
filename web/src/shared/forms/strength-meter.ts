import { type OptionsGraph, ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary as common } from '@zxcvbn-ts/language-common';
import { dictionary as spanish } from '@zxcvbn-ts/language-es-es';
import type { Level } from './strength';

/** What is strong by then stays strong; the time for an estimate grows with the cube of the length. */
const LOOKED_AT = 40;

// The package's module build wraps the keyboards once more than its types say (4.1.2).
const wrapped = adjacencyGraphs as unknown as { default?: OptionsGraph } & OptionsGraph;
const zxcvbn = new ZxcvbnFactory({ dictionary: { ...common, ...spanish }, graphs: wrapped.default ?? wrapped });

/** Imported by `loadMeter` only. */
export function level(password: string, inputs: string[]): Level {
  return (zxcvbn.check(password.slice(0, LOOKED_AT), inputs).score + 1) as Level;
}
