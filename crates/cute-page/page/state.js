// What the fields say, and the fragment of the address that carries it.

const EXAMPLES = [
  ['A layout', { expression: '(4,8):(8,1)' }],
  ['Tiles of a divide', { expression: 'zipped_divide((8,16):(16,1), (4,8))' }],
  ['Copies of a product', { expression: 'raked_product((2,2):(2,1), (3,4):(4,1))' }],
  ['A composition, step by step', { expression: 'A = (6,2):(8,2)\ncomposition(A, (4,3):(3,1))' }],
  ['Two layouts and their differences', { expression: '(8,8):(8,1)', against: 'S<3,0,3> o 0 o (8,8):(8,1)' }],
  ['The 128-byte swizzle', { expression: 'S<3,3,3> o 0 o (8,64):(64,1)', bits: '16', physical: '1' }],
  ['A transposition without its swizzle', {
    expression: '(64,64):(1,64)', bits: '16', access: 'gather=((8,16),(8,4)):((512,1),(64,16))@1',
  }],
  ['The same with its swizzle', {
    expression: 'S<3,3,6> o 0 o (64,64):(1,64)', bits: '16', access: 'gather=((8,16),(8,4)):((512,1),(64,16))@1',
  }],
  ['An MMA atom', { expression: 'SM80_16x8x16_F32F16F16F32_TN' }],
  ['The accumulators of wgmma', { expression: 'SM90_64x64x16_F32F16F16_SS' }],
  ['The accumulators of tcgen05.mma', { expression: 'SM100_MMA_F16BF16_SS<half_t,float,64,16>', physical: '1' }],
  ['ldmatrix', { expression: 'SM75_U32x4_LDSM_N' }],
  ['A tiled MMA', { expression: 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16])' }],
  ['A tiled copy', { expression: 'make_tiled_copy(UniversalCopy<uint128_t>, 16, (16,8):(8,1), (1,8))' }],
  ['A thread-value layout', { expression: '((4,8),(2,2)):((32,1),(16,8))', as: 'thread-value', tile: '(16,8)', bits: '32', physical: '1' }],
  ['Boxes of the TMA', { expression: 'tma((512,128):(128,1), S<3,4,3> o 0 o (64,(64,2)):(64,(1,4096)), (64,128))', element: 'f16' }],
  ['Tensor memory', { expression: '((16,4),8):((131072,4194304),1)', as: 'tensor-memory', bits: '16' }],
  ['Scale factors in tensor memory', {
    expression: 'make_tmem_layout_sfa(SM100_MMA_MXF4_SS<e2m1,e2m1,float,ue8m0,128,256,32>, (128,256,256))', as: 'tensor-memory', bits: '8',
  }],
  ['A placement with replicas', {
    expression: 'S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + R[2 : 4@warpid] + 5@warpid', tile: '(8,16)',
  }],
];

const TEXTS = ['expression', 'against', 'as', 'bits', 'tile', 'element', 'access'];
/** Fields that are on or off, and what is kept besides fields. */
const SWITCHES = ['physical'];
const KEPT = [...TEXTS, ...SWITCHES, 'find', 'embed'];

let state = {};
let cell = [0, 0, 0];
/** Whether the element in focus belongs to the second expression. */
let ofAgainst = false;
let palette = [];
/** The labels of fields, by the fields. */
let labels = {};
let views = [];

function question(against = false) {
  const asked = { expression: against ? state.against : state.expression, access: (state.access ?? '').split('\n') };
  for (const name of ['as', 'tile', 'element']) if (state[name]) asked[name] = state[name];
  if (state.bits) asked.bits = Number(state.bits);
  if (state.physical) asked.physical = true;
  return asked;
}

function readFields() {
  for (const name of TEXTS) state[name] = el(name).value;
  for (const name of SWITCHES) state[name] = el(name).checked ? '1' : '';
  fitRows();
}

function writeFields() {
  for (const name of TEXTS) el(name).value = state[name] ?? '';
  for (const name of SWITCHES) el(name).checked = Boolean(state[name]);
  fitRows();
  el('find').value = state.find ?? '';
  root.classList.toggle('embed', Boolean(state.embed));
}

/** Makes fields of lines as high as their lines. */
function fitRows() {
  for (const name of ['expression', 'access']) el(name).rows = Math.min(8, el(name).value.split('\n').length);
}

let saving;

/** Puts the state into the fragment soon: browsers limit how often that may happen, and it takes longer than an edit. */
function save() {
  clearTimeout(saving);
  saving = setTimeout(() => history.replaceState(null, '', link()), 150);
}

function link() {
  const kept = new URLSearchParams();
  for (const name of KEPT) if (state[name]) kept.set(name, state[name]);
  if (cell.some((n) => n !== 0)) kept.set('cell', cell.join(','));
  return `#${kept}`;
}

/** The state of a fragment. Returns what is wrong with it; the rest is used. */
function readLink(fragment) {
  const wrong = [];
  const kept = new URLSearchParams(fragment.replace(/^#/, ''));
  const found = {};
  cell = [0, 0, 0];
  for (const [name, value] of kept) {
    if (name === 'cell') {
      const numbers = value.split(',').map(Number);
      if (numbers.length === 3 && numbers.every((n) => Number.isSafeInteger(n) && n >= 0)) cell = numbers;
      else wrong.push(`cell=${value}`);
    } else if (!KEPT.includes(name)) {
      wrong.push(name);
    } else if ([...SWITCHES, 'embed'].includes(name) && value !== '1') {
      wrong.push(`${name}=${value}`);
    } else if (name === 'bits' && !/^\d{1,9}$/.test(value)) {
      wrong.push(`bits=${value}`);
    } else if (name === 'as' && ![...el('as').options].some((option) => option.value === value)) {
      wrong.push(`as=${value}`);
    } else {
      found[name] = value;
    }
  }
  if (!found.expression?.trim()) {
    if (kept.size) wrong.push('no expression');
    found.expression = EXAMPLES[0][1].expression;
  }
  state = found;
  return wrong;
}
