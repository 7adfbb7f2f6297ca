'use strict';
// The page: it sends what the fields say to the module, draws the tables of the answer, and shows the facts of one element. All
// numbers come from the module, and all text of theirs is set as text, never as markup.

const el = (id) => document.getElementById(id);
const root = document.documentElement;

/** A new element with a class, and its children: text or elements. */
function make(tag, name = '', ...children) {
  const made = document.createElement(tag);
  if (name) made.className = name;
  made.append(...children);
  return made;
}

const EXAMPLES = [
  ['A layout', { expression: '(4,8):(8,1)' }],
  ['A composition, step by step', { expression: 'A = (6,2):(8,2)\ncomposition(A, (4,3):(3,1))' }],
  ['Two layouts and their differences', { expression: '(8,8):(8,1)', against: 'S<3,0,3> o 0 o (8,8):(8,1)' }],
  ['The 128-byte swizzle', { expression: 'S<3,3,3> o 0 o (8,64):(64,1)', against: '(8,64):(64,1)', bits: '16' }],
  ['A transposition without its swizzle', {
    expression: '(64,64):(1,64)', bits: '16', access: 'gather=((8,16),(8,4)):((512,1),(64,16))@1',
  }],
  ['The same with its swizzle', {
    expression: 'S<3,3,6> o 0 o (64,64):(1,64)', bits: '16', access: 'gather=((8,16),(8,4)):((512,1),(64,16))@1',
  }],
  ['An MMA atom', { expression: 'SM80_16x8x16_F32F16F16F32_TN' }],
  ['A tiled MMA', { expression: 'tiled_mma(SM80_16x8x16_F32F16F16F32_TN, (2,2,1), [32;32;16])' }],
  ['A tiled copy', { expression: 'make_tiled_copy(UniversalCopy<uint128_t>, 16, (16,8):(8,1), (1,8))' }],
  ['A thread-value layout', { expression: '((4,8),(2,2)):((32,1),(16,8))', as: 'thread-value', tile: '(16,8)', bits: '32' }],
  ['Boxes of the TMA', { expression: 'tma((512,128):(128,1), S<3,4,3> o 0 o (64,(64,2)):(64,(1,4096)), (64,128))', element: 'f16' }],
  ['Tensor memory', { expression: '((16,4),8):((131072,4194304),1)', as: 'tensor-memory', bits: '16' }],
  ['A placement with replicas', {
    expression: 'S[(8,2,4,2) : (4@laneid,1@warpid,1@laneid,1)] + R[2 : 4@warpid] + 5@warpid', tile: '(8,16)',
  }],
];

const TEXTS = ['expression', 'against', 'as', 'bits', 'tile', 'element', 'access'];
/** Tables with more cells, or with longer sides, have colours without text. */
const TEXT_CELLS = 4096;
const TEXT_SIDE = 128;
const FONT = "'DejaVu Sans Mono', ui-monospace, Menlo, Consolas, monospace";

// --- The module ---

let compiled;
let exported;

async function start() {
  const packed = Uint8Array.from(atob(el('module').textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  compiled = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  exported = (await WebAssembly.instantiate(compiled)).exports;
}

/** Gives each fact and each colour of an answer its values, which lie in the module's memory as doubles. */
function unpack(answer) {
  const start = exported.numbers();
  for (const { grids } of [answer, answer.against].filter(Boolean)) {
    for (const grid of grids.flat().filter(Boolean)) {
      const cells = grid.rows.length * grid.columns.length;
      // A copy: the next call writes there again.
      for (const list of [...grid.facets, grid.colours]) {
        list.values = new Float64Array(exported.memory.buffer, start + 8 * list.from, cells).slice();
      }
    }
  }
  return answer;
}

/** Calls a function of the module; a trap is an answer, too. */
function call(name, request = '') {
  if (!exported) return { error: 'the evaluation starts again; edit the expression to go on' };
  try {
    const bytes = new TextEncoder().encode(request);
    const address = exported.request(bytes.length);
    new Uint8Array(exported.memory.buffer, address, bytes.length).set(bytes);
    const length = exported[name]();
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(exported.memory.buffer, exported.text(), length)));
    return answer.grids ? unpack(answer) : answer;
  } catch (error) {
    // The memory of an instance that trapped is in an unknown state.
    exported = undefined;
    WebAssembly.instantiate(compiled).then((instance) => { exported = instance.exports; });
    return { error: `internal error in the evaluation (${error}); please report the link of this page` };
  }
}

// --- State ---

let state = {};
let cell = [0, 0, 0];
/** Whether the element in focus belongs to the second expression. */
let ofAgainst = false;
let palette = [];
let views = [];

function question(against = false) {
  const asked = { expression: against ? state.against : state.expression, access: (state.access ?? '').split('\n') };
  for (const name of ['as', 'tile', 'element']) if (state[name]) asked[name] = state[name];
  if (state.bits) asked.bits = Number(state.bits);
  return asked;
}

function readFields() {
  state = Object.fromEntries(TEXTS.map((name) => [name, el(name).value]));
}

function writeFields() {
  for (const name of TEXTS) el(name).value = state[name] ?? '';
}

let saving;

/** Puts the state into the fragment soon: browsers limit how often that may happen, and it takes longer than an edit. */
function save() {
  clearTimeout(saving);
  saving = setTimeout(() => history.replaceState(null, '', link()), 150);
}

function link() {
  const kept = new URLSearchParams();
  for (const name of TEXTS) if (state[name]) kept.set(name, state[name]);
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
    } else if (!TEXTS.includes(name)) {
      wrong.push(name);
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

function say(text) {
  el('message').textContent = text;
  el('message').hidden = !text;
}

// --- Drawing ---

class Table {
  constructor(grid, number, against) {
    Object.assign(this, { number, against });
    this.set(grid);
    this.element = make('div', 'table');
    this.base = make('canvas');
    this.over = make('canvas');
    this.reader = make('div', 'reader');
    this.reader.setAttribute('role', 'row');
    const box = make('div', '', this.base, this.over, this.reader);
    box.className = 'table';
    box.tabIndex = 0;
    box.setAttribute('role', 'grid');
    box.setAttribute('aria-label', grid.title || 'the table');
    box.setAttribute('aria-rowcount', this.rows);
    box.setAttribute('aria-colcount', this.columns);
    for (const canvas of [this.base, this.over]) canvas.setAttribute('aria-hidden', 'true');
    if (grid.title) this.element.append(make('div', 'title', grid.title));
    this.element.append(box);
    this.box = box;
    box.addEventListener('click', (event) => this.clicked(event));
    box.addEventListener('keydown', (event) => this.pressed(event));
    box.addEventListener('focus', () => {
      if (ofAgainst !== against || cell[0] !== number) focusCell([number, 0, 0], against);
    });
  }

  /** Shows another grid in the same place. */
  set(grid) {
    this.grid = grid;
    [this.rows, this.columns] = [grid.rows.length, grid.columns.length];
    this.facets = new Map(grid.facets.map((facet) => [facet.name, facet.values]));
    this.marked = [];
    this.differing = [];
  }

  lines(index) {
    const values = this.grid.lines.map(([before, facet]) => [before, this.grid.facets[facet].values[index]]);
    return values.filter(([, value]) => !Number.isNaN(value)).map(([before, value]) => before + value);
  }

  measure() {
    const { rows, columns, grid } = this;
    const cells = rows * columns;
    this.hasText = cells <= TEXT_CELLS && Math.max(rows, columns) <= TEXT_SIDE;
    let longest = 1;
    if (this.hasText) {
      for (const [before, facet] of grid.lines) {
        for (const value of grid.facets[facet].values) longest = Math.max(longest, before.length + String(value).length);
      }
    }
    const size = Math.max(2, Math.min(8, Math.floor(900 / Math.max(rows, columns, 1))));
    this.cell = this.hasText
      ? [Math.max(22, 6.1 * longest + 8), 10 + 12 * Math.max(1, grid.lines.length)]
      : [size, size];
    const longestLabel = Math.max(1, ...[rows - 1, rows >> 1].map((i) => (grid.rows[i] ?? '').length));
    this.rim = [Math.ceil(6.1 * longestLabel) + 8, 18];
    this.size = [this.rim[0] + columns * this.cell[0] + 1, this.rim[1] + rows * this.cell[1] + 1].map(Math.ceil);
  }

  /** A context of a canvas in CSS pixels. */
  context(canvas) {
    const scale = Math.min(window.devicePixelRatio || 1, 3);
    const [width, height] = this.size.map((length) => Math.ceil(length * scale));
    // A canvas with another size is allocated anew, which takes longer than drawing on it.
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
      [canvas.style.width, canvas.style.height] = this.size.map((length) => `${length}px`);
    }
    const context = canvas.getContext('2d');
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, ...this.size);
    return context;
  }

  draw(colours) {
    this.measure();
    const { rows, columns, grid, cell: [w, h], rim: [left, top] } = this;
    const context = this.context(this.base);
    const image = new ImageData(Math.max(columns, 1), Math.max(rows, 1));
    const pixels = new Uint32Array(image.data.buffer);
    const ids = grid.colours.values;
    for (let i = 0; i < ids.length; i++) pixels[i] = colours.cells[ids[i]] ?? colours.empty;
    // One pixel per cell, enlarged: sixteen thousand cells are one operation.
    const small = make('canvas');
    [small.width, small.height] = [image.width, image.height];
    small.getContext('2d').putImageData(image, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(small, left, top, columns * w, rows * h);
    if (this.hasText) {
      context.strokeStyle = 'rgba(0,0,0,.2)';
      context.beginPath();
      for (let i = 0; i <= rows; i++) { context.moveTo(left, top + i * h); context.lineTo(left + columns * w, top + i * h); }
      for (let j = 0; j <= columns; j++) { context.moveTo(left + j * w, top); context.lineTo(left + j * w, top + rows * h); }
      context.stroke();
      context.font = `10px ${FONT}`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) {
          const index = i * columns + j;
          const lines = this.lines(index);
          context.fillStyle = Number.isNaN(ids[index]) ? colours.text : '#1d2126';
          lines.forEach((line, n) => {
            context.fillText(line, left + j * w + w / 2, top + i * h + h / 2 + 12 * (n - (lines.length - 1) / 2));
          });
        }
      }
    }
    context.strokeStyle = colours.soft;
    context.strokeRect(left, top, columns * w, rows * h);
    this.labels(context, colours);
  }

  labels(context, colours) {
    const { rows, columns, grid, cell: [w, h], rim: [left, top] } = this;
    context.fillStyle = colours.soft;
    context.font = `10px ${FONT}`;
    context.textBaseline = 'middle';
    const widest = Math.max(1, (grid.columns[columns - 1] ?? '').length, (grid.columns[columns >> 1] ?? '').length);
    const step = (need, length) => { let by = 1; while (by * length < need) by *= 2; return by; };
    const [down, across] = [step(11, h), step(6.1 * widest + 6, w)];
    context.textAlign = 'right';
    for (let i = 0; i < rows; i += down) context.fillText(grid.rows[i], left - 4, top + i * h + h / 2);
    context.textAlign = 'center';
    for (let j = 0; j < columns; j += across) context.fillText(grid.columns[j], left + j * w + w / 2, top - 8);
  }

  /** Outlines: cells that differ, cells that were found, and the cell in focus. */
  outline(colours) {
    const { columns, cell: [w, h], rim: [left, top] } = this;
    const outlined = this.differing.length || this.marked.length || this.isFocused();
    if (!outlined && !this.isOutlined) return;
    this.isOutlined = outlined;
    const context = this.context(this.over);
    const frame = (index, colour, width) => {
      context.strokeStyle = colour;
      context.lineWidth = width;
      const [i, j] = [Math.floor(index / columns), index % columns];
      context.strokeRect(left + j * w + width / 2, top + i * h + width / 2, w - width, h - width);
    };
    const thin = Math.min(2, w / 4);
    for (const index of this.differing) frame(index, colours.mark, thin);
    for (const index of this.marked) frame(index, colours.found, thin);
    if (this.isFocused()) {
      const index = cell[1] * columns + cell[2];
      frame(index, '#fff', Math.min(5, w / 2));
      frame(index, colours.chosen, Math.min(3, w / 3));
    }
  }

  isFocused() {
    return ofAgainst === this.against && cell[0] === this.number;
  }

  /** The text of a cell for a screen reader. */
  describe(row, column) {
    const index = row * this.columns + column;
    const facts = this.grid.facets.filter((facet) => !Number.isNaN(facet.values[index]));
    const texts = facts.map((facet) => `${facet.name} ${facet.values[index]}`);
    return `row ${this.grid.rows[row]}, column ${this.grid.columns[column]}: ${texts.join(', ') || 'empty'}`;
  }

  /** Puts the cell in focus into the grid that a screen reader sees. A new element, so that it is read again. */
  announce() {
    const [, row, column] = cell;
    const id = `cell-${this.against ? 'b' : 'a'}-${this.number}-${row}-${column}`;
    const read = make('div', '', this.describe(row, column));
    read.id = id;
    read.setAttribute('role', 'gridcell');
    read.setAttribute('aria-colindex', column + 1);
    read.setAttribute('aria-selected', 'true');
    this.reader.setAttribute('aria-rowindex', row + 1);
    this.reader.replaceChildren(read);
    this.box.setAttribute('aria-activedescendant', id);
  }

  clicked(event) {
    const box = this.base.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - this.rim[0]) / this.cell[0]);
    const row = Math.floor((event.clientY - box.top - this.rim[1]) / this.cell[1]);
    if (row >= 0 && row < this.rows && column >= 0 && column < this.columns) {
      focusCell([this.number, row, column], this.against);
    }
  }

  pressed(event) {
    const [, row, column] = this.isFocused() ? cell : [0, 0, 0];
    const page = Math.max(1, this.rows >> 3);
    const moved = {
      ArrowUp: [row - 1, column], ArrowDown: [row + 1, column], ArrowLeft: [row, column - 1], ArrowRight: [row, column + 1],
      Home: event.ctrlKey ? [0, 0] : [row, 0],
      End: event.ctrlKey ? [this.rows - 1, this.columns - 1] : [row, this.columns - 1],
      PageUp: [row - page, column], PageDown: [row + page, column],
    }[event.key];
    if (!moved) return;
    event.preventDefault();
    const within = (n, count) => Math.max(0, Math.min(count - 1, n));
    focusCell([this.number, within(moved[0], this.rows), within(moved[1], this.columns)], this.against);
  }

  /** Scrolls the cell in focus into view. */
  reveal() {
    const area = this.element.closest('.tables');
    const [x, y] = [cell[2], cell[1]].map((n, k) => n * this.cell[k] + this.rim[k]);
    const [own, outer] = [this.base.getBoundingClientRect(), area.getBoundingClientRect()];
    const shift = own.left + x - outer.left;
    if (shift < 0) area.scrollLeft += shift - this.rim[0];
    else if (shift + this.cell[0] > outer.width) area.scrollLeft += shift + this.cell[0] - outer.width;
    const [high, low] = [own.top + y, own.top + y + this.cell[1]];
    if (high < 0 || low > window.innerHeight) window.scrollBy(0, high < 0 ? high - 20 : low - window.innerHeight + 20);
  }
}

/** The colours of the theme; those of cells as pixels. */
function colours() {
  const style = getComputedStyle(root);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  const context = make('canvas').getContext('2d', { willReadFrequently: true });
  const pixel = (css) => {
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    return new Uint32Array(context.getImageData(0, 0, 1, 1).data.buffer)[0];
  };
  return {
    cells: palette.map(pixel), empty: pixel(get('empty')),
    text: get('text'), soft: get('soft'), mark: get('mark'), found: get('found'), chosen: get('chosen'),
  };
}
let theme;

function tables() {
  return views.flatMap((view) => view.tables);
}

/** Shows an answer, in the tables of the last one where they have the same extents. */
function showView(answer, against, last) {
  const element = last?.element ?? make('div', 'view');
  const grids = answer.grids.flat().filter(Boolean);
  const fits = last && last.tables.length === grids.length && last.across === answer.grids[0]?.length
    && grids.every((grid, n) => {
      const { rows, columns, grid: { title } } = last.tables[n];
      return grid.rows.length === rows && grid.columns.length === columns && grid.title === title;
    });
  const parts = [make('h2', 'mono', answer.title || answer.kind)];
  const [area, made] = fits ? [last.area, last.tables] : newTables(answer, against);
  if (fits) made.forEach((table, n) => table.set(grids[n]));
  if (made.length) parts.push(area);
  if (answer.undrawn) parts.push(make('p', 'note', `Not drawn: ${answer.undrawn}`));
  if (answer.legend.length) {
    parts.push(make('div', 'legend', ...answer.legend.map(([colour, text]) => {
      const swatch = make('span', 'swatch');
      swatch.style.background = palette[colour];
      return make('span', '', swatch, text);
    })));
  }
  for (const note of answer.notes) parts.push(make('p', 'note', note));
  // Tables that stay in the document keep the keyboard's focus.
  if (fits && area.parentElement === element) {
    while (area.previousSibling) area.previousSibling.remove();
    while (area.nextSibling) area.nextSibling.remove();
    area.before(parts[0]);
    area.after(...parts.slice(2));
  } else {
    element.replaceChildren(...parts);
  }
  for (const table of made) table.draw(theme);
  return { element, area, tables: made, across: answer.grids[0]?.length };
}

function newTables(answer, against) {
  const area = make('div', 'tables');
  const made = [];
  const across = Math.max(1, ...answer.grids.map((row) => row.length));
  area.style.setProperty('--across', across);
  answer.grids.forEach((row, i) => row.forEach((grid, j) => {
    if (!grid) return;
    const table = new Table(grid, made.length, against);
    table.element.classList.add('placed');
    table.element.style.setProperty('--row', i + 1);
    table.element.style.setProperty('--column', j + 1);
    made.push(table);
    area.append(table.element);
  }));
  return [area, made];
}

/** Evaluates the fields and draws the answer. */
function update(note = '') {
  const asked = question();
  if (state.against?.trim()) asked.against = state.against;
  if (state.bits && !/^\d{1,9}$/.test(state.bits)) {
    say(`The bits of an element are a number, not '${state.bits}'`);
    return;
  }
  const answer = call('view', JSON.stringify(asked));
  if (answer.error !== undefined) {
    // The last picture stays while an expression is being typed.
    say(note ? `${note}\n${answer.error}` : answer.error);
    return;
  }
  say(note);
  const shown = [showView(answer, false, views[0])];
  if (answer.against) shown.push(showView(answer.against, true, views[1]));
  if (shown.length !== views.length) el('pictures').replaceChildren(...shown.map((view) => view.element));
  views = shown;
  showDifferences(answer.differences ?? []);
  showConflicts(answer.conflicts);
  const value = [make('h2', '', answer.kind), make('pre', '', answer.text)];
  if (answer.steps) value.push(make('h2', '', 'Steps'), make('pre', '', answer.steps));
  el('value').replaceChildren(...value);
  const table = tables().find((own) => own.isFocused());
  if (!table || cell[1] >= table.rows || cell[2] >= table.columns) [cell, ofAgainst] = [[0, 0, 0], false];
  showFacts();
  find();
  save();
}

function showDifferences(differences) {
  differences.forEach(({ title, facet, cells }, n) => {
    const text = cells === null
      ? `${title ? `${title}: ` : ''}the tables have different extents or facts, so cells are not compared`
      : `${title ? `${title}: ` : ''}${cells.length} cells differ in ${facet}`;
    for (const view of views) {
      if (view.tables[n] && cells) view.tables[n].differing = cells;
    }
    views[1]?.element.append(make('p', 'note differences', text));
  });
}

function goTo(row, column) {
  const button = make('button', 'mono', `(${row},${column})`);
  button.type = 'button';
  button.addEventListener('click', () => focusCell([0, row, column], false));
  return button;
}

function showConflicts(conflicts) {
  const shown = [];
  if (conflicts) {
    shown.push(make('h2', '', 'Bank conflicts'), make('pre', '', conflicts.text));
    for (const crowd of conflicts.crowds) {
      const threads = crowd.threads.slice(0, 32).map(({ thread, value, address, row, column }) => make('li', '',
        `thread ${thread}, value ${value}: address ${address}, element `, goTo(row, column)));
      shown.push(
        make('p', 'crowd', `${crowd.name}: ${crowd.degree} threads need different words of bank ${crowd.bank} at once, `
          + `${crowd.bytes} bytes each: degree ${crowd.degree}`),
        make('ul', '', ...threads),
      );
    }
  }
  el('conflicts').replaceChildren(...shown);
}

function focusCell(to, against) {
  [cell, ofAgainst] = [to, against];
  showFacts();
  for (const table of tables()) table.outline(theme);
  tables().find((table) => table.isFocused())?.reveal();
  save();
}

function showFacts() {
  const table = tables().find((own) => own.isFocused());
  if (!table) {
    el('facts').replaceChildren();
    return;
  }
  table.announce();
  const shown = factsOf(table);
  // The same element of the other expression.
  const other = views[ofAgainst ? 0 : 1]?.tables[table.number];
  if (other && other.rows === table.rows && other.columns === table.columns) shown.push(...factsOf(other));
  el('facts').replaceChildren(...shown);
}

/** The facts of the element in focus, in a table of the first or the second expression. */
function factsOf(table) {
  const answer = call('view', JSON.stringify({ ...question(table.against), cell }));
  if (answer.error !== undefined) return [make('p', 'note', answer.error)];
  const list = make('dl');
  for (const { name, value, steps } of answer.facts) {
    const shown = make('dd');
    if (table.facets.has(name)) {
      const button = make('button', 'mono', value);
      button.type = 'button';
      button.title = `find the cells with ${name} ${value}`;
      button.addEventListener('click', () => { el('find').value = `${name}=${value}`; find(true); });
      shown.append(button);
    } else {
      shown.append(make('span', 'mono', value));
    }
    shown.append(...steps.map((step) => make('span', 'step mono', step)));
    shown.dataset.fact = name;
    list.append(make('dt', '', name), shown);
  }
  const title = table.against ? 'The element of the second expression' : 'The element';
  return [make('h2', '', table.grid.title ? `${title}: ${table.grid.title}` : title), list];
}

/** Marks the cells with the facts that the field names, such as `bank=3`. */
function find(moves = false) {
  const text = el('find').value.trim();
  const wanted = [...text.matchAll(/([^=,]*[^=,\s])\s*=\s*(-?\d+)/g)].map(([, name, value]) => [name.trim(), Number(value)]);
  let count = 0;
  let first;
  const known = new Set();
  for (const table of tables()) {
    table.marked = [];
    for (const name of table.facets.keys()) known.add(name);
    if (wanted.length && wanted.every(([name]) => table.facets.has(name))) {
      const lists = wanted.map(([name, value]) => [table.facets.get(name), value]);
      for (let i = 0; i < table.rows * table.columns; i++) {
        if (lists.every(([values, value]) => values[i] === value)) table.marked.push(i);
      }
    }
    count += table.marked.length;
    if (table.marked.length) first ??= table;
  }
  el('found').textContent = text === '' ? '' : wanted.length === 0 || (count === 0 && !wanted.every(([name]) => known.has(name)))
    ? `Write facts with their numbers: ${[...known].join(', ')}`
    : `${count} ${count === 1 ? 'cell' : 'cells'}`;
  if (moves && first && !(tables().find((table) => table.isFocused())?.marked.includes(cell[1] * first.columns + cell[2]))) {
    const index = first.marked[0];
    focusCell([first.number, Math.floor(index / first.columns), index % first.columns], first.against);
  }
  for (const table of tables()) table.outline(theme);
}

/** The first atoms whose names match. */
function listAtoms() {
  const pattern = el('pattern').value.trim();
  const answer = pattern ? call('answer', JSON.stringify({ op: 'atoms', args: [pattern] })) : { result: '' };
  const names = (answer.result ?? '').split('\n').filter(Boolean);
  const shown = names.slice(0, 40).map((name) => {
    const button = make('button', 'mono', name);
    button.type = 'button';
    button.addEventListener('click', () => startWith({ expression: name }));
    return make('li', '', button);
  });
  if (names.length > 40) shown.push(make('li', '', `and ${names.length - 40} more`));
  if (answer.error) shown.push(make('li', '', answer.error));
  el('atoms').replaceChildren(...shown);
}

/** Replaces the state. */
function startWith(other) {
  [state, cell, ofAgainst] = [{ ...other }, [0, 0, 0], false];
  writeFields();
  update();
}

// --- The page ---

function setTheme(dark) {
  root.classList.toggle('dark', dark);
  el('theme').setAttribute('aria-pressed', String(dark));
  el('theme').textContent = dark ? 'Light' : 'Dark';
  theme = colours();
  for (const table of tables()) { table.draw(theme); table.outline(theme); }
}

function followLink() {
  const wrong = readLink(location.hash);
  ofAgainst = false;
  writeFields();
  el('find').value = '';
  update(wrong.length ? `This link has parts that cannot be read, and defaults take their place: ${wrong.join('; ')}` : '');
}

async function main() {
  try {
    await start();
  } catch (error) {
    say(`This browser cannot run the page: ${error}`);
    return;
  }
  const about = call('about');
  palette = about.palette;
  el('functions').append(make('dl', '', ...about.functions.flatMap(({ name, parameters, doc, example }) => {
    const button = make('button', 'mono', example);
    button.type = 'button';
    button.addEventListener('click', () => startWith({ expression: example }));
    return [make('dt', 'mono', `${name}(${parameters})`), make('dd', '', doc, ' ', button)];
  })));
  el('examples').append(make('option', '', 'choose one'), ...EXAMPLES.map(([name], n) => {
    const option = make('option', '', name);
    option.value = n;
    return option;
  }));
  el('examples').addEventListener('change', () => {
    const chosen = EXAMPLES[el('examples').value];
    if (chosen) startWith(chosen[1]);
  });
  el('form').addEventListener('input', () => { readFields(); update(); });
  el('form').addEventListener('submit', (event) => event.preventDefault());
  el('pattern').addEventListener('input', listAtoms);
  el('finder').addEventListener('input', () => find(false));
  el('finder').addEventListener('submit', (event) => { event.preventDefault(); find(true); });
  el('theme').addEventListener('click', () => setTheme(!root.classList.contains('dark')));
  el('skip').addEventListener('click', (event) => { event.preventDefault(); tables()[0]?.box.focus(); });
  window.addEventListener('hashchange', followLink);
  setTheme(matchMedia('(prefers-color-scheme: dark)').matches);
  followLink();
  root.dataset.ready = 'true';
}

main();
