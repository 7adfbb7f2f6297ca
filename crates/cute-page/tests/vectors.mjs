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

// Neither do mutants of the examples of all functions and of these pictures. The seed is fixed.
const { functions: known } = JSON.parse(call('about', ''));
assert.ok(known.length > 100);
const seeds = [
  ...known.map(({ example }) => ({ expression: example })),
  { expression: '(64,64):(1,64)', bits: 16, access: ['gather=((8,16),(8,4)):((512,1),(64,16))@1'] },
  { expression: '((4,8),(2,2)):((32,1),(16,8))', as: 'thread-value', tile: '(16,8)', bits: 32 },
  { expression: 'tma((512,128):(128,1), S<3,4,3> o 0 o (64,(64,2)):(64,(1,4096)), (64,128))', element: 'f16' },
  { expression: '((16,4),8):((131072,4194304),1)', as: 'tensor-memory', bits: 16 },
  { expression: 'S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + R[2 : 4@warpid] + 5@warpid', tile: '(8,16)' },
  { expression: 'wg_local_layout(8, rows=64)', tile: '(64,8)' },
  { expression: 'Sw<3,4,3>_smem_ptr[16b](0x7f00) o (_8,_64):(_64,_1)', bits: 16, physical: true },
  { expression: 'ComposedLayout<Swizzle<3,4,3>,smem_ptr_flag_bits<16>,Layout<Shape<_8,_64>,Stride<_64,_1>>>{}; // K', bits: 16, physical: true },
  { expression: 'raked_product((2,2):(2,1), (3,4):(4,1))' },
  { expression: 'SM80_16x8x16_F32F16F16F32_TN', physical: true },
  { expression: 'SM100_MMA_F16BF16_SS<half_t,float,64,8>', physical: true },
  { expression: 'SM75_U32x4_LDSM_N', bits: 16, physical: true },
  { expression: 'make_tmem_layout_sfa(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))', as: 'tensor-memory', bits: 8 },
];
const tokens = [
  '0', '1', '-1', '64', '65536', '9223372036854775807', '-9223372036854775808', '(', ')', ',', ':', '_', '?', '?{div=8}', '@1@2', ' o ',
  'S<3,4,3>', '_4', 'Sw<', 'smem_ptr[', '//', '{}', '[', ']', ';', '*', '/', 'R[', '@laneid', '"', '\n',
];
let random = 7;
const below = (n) => {
  random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
  return Math.floor(random / 2 ** 32 * n);
};
const mutant = (text) => {
  // Half of them have another number, and are often accepted.
  if (below(2)) return text.replace(/\d+/g, (number) => (below(4) ? number : tokens[below(4)]));
  const [at, token] = [below(text.length + 1), tokens[below(tokens.length)]];
  return text.slice(0, at) + token + text.slice(at + below(4));
};
let accepted = 0;
for (let i = 0; i < 1500; i++) {
  const asked = { ...seeds[below(seeds.length)] };
  asked.expression = mutant(asked.expression);
  if (asked.tile && below(2)) asked.tile = mutant(asked.tile);
  if (asked.access && below(2)) asked.access = asked.access.map(mutant);
  if (below(4) === 0) asked.bits = [0, 1, 4, 16, 128, -1, 2 ** 53 - 1][below(7)];
  if (below(3) === 0) asked.cell = [below(4), below(20), below(20)];
  accepted += 'error' in JSON.parse(call('view', JSON.stringify(asked))) ? 0 : 1;
}
assert.ok(accepted > 50, `${accepted} mutants are accepted`);
console.log(`page: ${total} requests of ${files.length} files have the same answers in WebAssembly as natively`);
