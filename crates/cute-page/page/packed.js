// Links that carry a kernel with its launch: JSON, deflated, in the fragment. A fragment is a stranger's text, so that its size and
// the type of each field are checked before anything uses it.

const LINK = '#kernels=';
const MOST_LINK = 100_000;
const MOST_TEXT = 16 << 20;

/** The types of the fields: a sample of each. */
const FIELDS = {
  file: '', ptx: '', kernel: '', grid: '', block: '', cluster: '', shared: '', args: [''], arrays: '', variables: '', launches: '',
  schedules: '', seconds: '', budget: '', memory: '', sources: {}, bug: '',
};

async function through(stream, bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > most) {
      reader.cancel();
      throw new Error(`more than ${most} bytes`);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** The fragment that carries the state; `null` if it would be longer than browsers and mail pass on. */
async function packLink(state) {
  const text = new TextEncoder().encode(JSON.stringify(state));
  const packed = await through(new CompressionStream('deflate-raw'), text, Infinity);
  const length = Math.ceil(packed.length * 4 / 3) + LINK.length;
  if (length > MOST_LINK) return { length };
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return { length, link: LINK + btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') };
}

function fits(value, sample) {
  if (Array.isArray(sample)) return Array.isArray(value) && value.length <= 4096 && value.every((one) => typeof one === 'string');
  if (typeof sample === 'string') return typeof value === 'string';
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    && Object.values(value).every((one) => typeof one === 'string');
}

/** The state in a fragment, and the names of what cannot be read in it. */
async function unpackLink(fragment) {
  const text = fragment.slice(LINK.length);
  if (text.length > 2 * MOST_LINK) throw new Error(`it has ${text.length} characters`);
  const binary = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
  const bytes = await through(new DecompressionStream('deflate-raw'), Uint8Array.from(binary, (c) => c.charCodeAt(0)), MOST_TEXT);
  const found = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  if (typeof found !== 'object' || found === null || Array.isArray(found)) throw new Error('it has no fields');
  const state = {};
  const wrong = [];
  for (const [name, value] of Object.entries(found)) {
    if (Object.hasOwn(FIELDS, name) && fits(value, FIELDS[name])) state[name] = value;
    else wrong.push(name);
  }
  return { state, wrong };
}
