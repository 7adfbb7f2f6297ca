// Every request in tests/vectors has the same answer in WebAssembly as natively, and no request traps.
//
// usage: node vectors.mjs MODULE.wasm CUTE-CALC VECTORS

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [module, calculator, folder] = process.argv.slice(2);
const { instance } = await WebAssembly.instantiate(readFileSync(module), {});
const { memory, request, text, ...functions } = instance.exports;

function call(name, asked) {
  const bytes = new TextEncoder().encode(asked);
  // The address comes first: making room may replace the memory's buffer.
  const address = request(bytes.length);
  new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
  const length = functions[name]();
  return new TextDecoder().decode(new Uint8Array(memory.buffer, text(), length));
}

/** The requests in a file of vectors: the objects with an operation, and a request for each point of a placement. */
function* requests(value) {
  if (value === null || typeof value !== 'object') return;
  if (value.notation && Array.isArray(value.points)) {
    for (const { coord } of value.points) yield { op: 'placements', layout: value.notation, shape: value.shape, coord };
  }
  if (typeof value.op === 'string') yield value;
  else for (const part of Object.values(value)) yield* requests(part);
}

const files = readdirSync(folder, { recursive: true }).map(String).filter((name) => name.endsWith('.json')).sort();
let total = 0;
let differing = 0;
for (const file of files) {
  const asked = [...requests(JSON.parse(readFileSync(join(folder, file), 'utf8')))].map((entry) => JSON.stringify(entry));
  if (asked.length === 0) continue;
  const native = spawnSync(calculator, ['--json'], { input: asked.join('\n'), encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(native.status, 0, native.stderr);
  const answers = native.stdout.trimEnd().split('\n');
  assert.equal(answers.length, asked.length, `${file}: one answer for each request`);
  asked.forEach((one, i) => {
    const own = call('answer', one);
    if (own === answers[i]) return;
    differing += 1;
    if (differing <= 10) console.error(`${file}: ${one}\n  natively ${answers[i]}\n  here     ${own}`);
  });
  total += asked.length;
}
assert.equal(differing, 0, `${differing} of ${total} answers differ`);
assert.ok(total > 18000, `${total} requests in ${files.length} files`);

// An array has one line for each of its requests.
const lines = call('answer', '[{"op":"size","args":["(4,8)"]},{"op":"?"}]').trimEnd().split('\n').map(JSON.parse);
assert.deepEqual([lines[0].result, typeof lines[1].error], ['32', 'string']);

// Hostile requests are refused without a trap.
const deep = '('.repeat(1e5);
const hostile = [
  '', '[', 'null', '{}', '{"op":5}', '\u0000', '"'.repeat(1000), '['.repeat(1e5), `{"op":"evaluate","args":["${deep}"]}`,
  `{"op":"evaluate","args":["${'1+'.repeat(1e5)}1"]}`, '{"op":"evaluate","args":["9223372036854775807:9223372036854775807"]}',
  '{"op":"table","args":["1000000000000:1"]}', '{"op":"svg","args":["(1000,1000000):(1,1)"]}',
];
for (const one of hostile) assert.match(call('answer', one), /"error"|^$|"result"/, one.slice(0, 60));
const drawn = [
  ...hostile, '{"expression":""}', `{"expression":"${deep}"}`, '{"expression":"(4,8):(8,1)","cell":[9,9,9]}',
  '{"expression":"(4,8):(8,1)","cell":[-1,-1,-1]}', '{"expression":"(4,8):(8,1)","cell":[0,9223372036854775807,0]}',
  '{"expression":"4:1","bits":9223372036854775807}', '{"expression":"4:4611686018427387904","bits":64}',
  '{"expression":"4:4611686018427387904"}', '{"expression":"(2,2):(1,-1)","bits":16,"access":["a=2:1"]}',
  '{"expression":"8:1","bits":16,"access":["a=(32,1):(1,0)"]}', '{"expression":"(0,4):(1,1)"}',
  '{"expression":"(4,8):(8,1)","as":"thread-value","tile":"(0,0)"}', '{"expression":"(0,0):(1,1)","as":"thread-value","tile":"(1,1)"}',
  '{"expression":"S[9223372036854775807 : 9223372036854775807@m]"}', '{"expression":"S[(4,4) : (1,1)]","tile":"(99,99)"}',
  '{"expression":"S[4 : 1@laneid] + R[1000000 : 1@m]","cell":[0,0,0]}', '{"expression":"4:1","as":"tensor-memory","bits":0}',
  '{"expression":"4:1","as":"tensor-memory","bits":-4}', '{"expression":"tma()","element":"f16"}',
  '{"expression":"tma(1:1, 1:1, 1)","element":"f16"}', '{"expression":"tma((4,8):(8,1), 1:1, 1)","element":"?"}',
  '{"expression":"1","as":"boxes"}', '{"expression":"S<0,0,0>"}', '{"expression":"S<31,31,31>"}',
  '{"expression":"(1024,64):(1,1024)","against":"(4,8):(8,1)"}', '{"expression":"A\\n=\\n"}',
];
for (const one of drawn) {
  const answer = JSON.parse(call('view', one));
  assert.ok('error' in answer || 'grids' in answer || 'facts' in answer, one.slice(0, 60));
}
assert.ok(JSON.parse(call('about', '')).functions.length > 100);
console.log(`page: ${total} requests of ${files.length} files have the same answers in WebAssembly as natively`);
