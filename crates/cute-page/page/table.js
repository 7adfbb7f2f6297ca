// One table on a canvas: its cells, its outlines, the cell in focus, and what a screen reader reads.

/** Tables with more cells, or with longer sides, have colours without text, unless they are enlarged. */
const TEXT_CELLS = 4096;
const TEXT_SIDE = 128;
/** The same for enlarged tables, and the longest side of a canvas in pixels. */
const MOST_TEXT = 16384;
const MOST_PIXELS = 12000;
/** Pixels of a letter and of a line of cells, and the height of letters that can still be read. */
const LETTER = 6.1;
const LINE = 12;
const LEAST_FONT = 5;
const FONT = "'DejaVu Sans Mono', ui-monospace, Menlo, Consolas, monospace";

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
    box.setAttribute('aria-rowcount', this.rows);
    box.setAttribute('aria-colcount', this.columns);
    for (const canvas of [this.base, this.over]) canvas.setAttribute('aria-hidden', 'true');
    if (grid.title) this.element.append(make('div', 'title', grid.title));
    this.element.append(box);
    this.box = box;
    box.addEventListener('pointermove', (event) => hover(this, this.cellAt(event)));
    box.addEventListener('pointerleave', () => hover(this, null));
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
    this.elements = this.facets.get('element');
    this.marked = [];
    this.differing = [];
    this.crowd = [];
    this.linked = [];
  }

  /** The picture's name, for tables without a title. */
  named(title) {
    this.box.setAttribute('aria-label', this.grid.title || title);
  }

  lines(index) {
    const values = this.grid.lines.map(([before, facet]) => [before, this.grid.facets[facet].values[index]]);
    return values.filter(([, value]) => !Number.isNaN(value)).map(([before, value]) => before + value);
  }

  /** The sizes of the table at a zoom. */
  measure(zoom) {
    const { rows, columns, grid } = this;
    const cells = rows * columns;
    const isSmall = cells <= TEXT_CELLS && Math.max(rows, columns) <= TEXT_SIDE;
    let longest = 1;
    if (isSmall || (zoom > 1 && cells <= MOST_TEXT)) {
      for (const [before, facet] of grid.lines) {
        for (const value of grid.facets[facet].values) longest = Math.max(longest, before.length + String(value).length);
      }
    }
    const withText = [Math.max(20, LETTER * longest + 6), 5 + LINE * Math.max(1, grid.lines.length)].map((n) => n * zoom);
    const fits = withText[0] * columns <= MOST_PIXELS && withText[1] * rows <= MOST_PIXELS;
    this.hasText = (isSmall || (zoom > 1 && cells <= MOST_TEXT)) && fits;
    this.font = 10 * zoom;
    const size = Math.max(2, Math.min(8, Math.floor(900 / Math.max(rows, columns, 1)))) * zoom;
    this.cell = this.hasText ? withText : [size, size];
    const longestOf = (labels) => labels.reduce((length, label) => Math.max(length, label.length), 1);
    const [down, across] = [longestOf(grid.rows), longestOf(grid.columns)];
    // Nested coordinates that are wider than a column are turned; of numbers, some are left out.
    this.turned = grid.columns.some((label) => /\D/.test(label)) && LETTER * across + 4 > this.cell[0] && this.cell[0] >= 11 && this.hasText;
    this.rim = [Math.ceil(LETTER * down) + 8, this.turned ? Math.ceil(LETTER * across) + 8 : 18];
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
    }
    if (this.hasText && this.font >= LEAST_FONT) {
      const pitch = LINE * this.font / 10;
      context.font = `${this.font}px ${FONT}`;
      context.textAlign = 'center';
      context.textBaseline = 'middle';
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j < columns; j++) {
          const index = i * columns + j;
          const lines = this.lines(index);
          context.fillStyle = Number.isNaN(ids[index]) ? colours.text : '#1d2126';
          lines.forEach((line, n) => {
            context.fillText(line, left + j * w + w / 2, top + i * h + h / 2 + pitch * (n - (lines.length - 1) / 2));
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
    const widest = grid.columns.reduce((length, label) => Math.max(length, label.length), 1);
    const step = (need, length) => { let by = 1; while (by * length < need) by *= 2; return by; };
    const [down, across] = [step(11, h), this.turned ? 1 : step(LETTER * widest + 6, w)];
    context.textAlign = 'right';
    for (let i = 0; i < rows; i += down) context.fillText(grid.rows[i], left - 4, top + i * h + h / 2);
    context.textAlign = this.turned ? 'left' : 'center';
    for (let j = 0; j < columns; j += across) {
      const middle = left + j * w + w / 2;
      if (!this.turned) {
        context.fillText(grid.columns[j], middle, top - 8);
        continue;
      }
      context.save();
      context.translate(middle, top - 4);
      context.rotate(-Math.PI / 2);
      context.fillText(grid.columns[j], 0, 0);
      context.restore();
    }
  }

  /** Outlines: cells that differ, threads of a conflict, cells that were found or belong together, and the cell in focus. */
  outline(colours) {
    const { columns, cell: [w, h], rim: [left, top] } = this;
    const lists = [this.differing, this.crowd, this.marked, this.linked];
    const outlined = lists.some((list) => list.length) || this.isFocused();
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
    for (const index of this.crowd) frame(index, colours.mark, thin);
    for (const index of this.marked) frame(index, colours.found, thin);
    for (const index of this.linked) frame(index, colours.chosen, Math.min(2.5, w / 4));
    if (this.isFocused()) {
      const index = cell[1] * columns + cell[2];
      const least = Math.min(w, h);
      frame(index, '#fff', Math.min(4, least / 4));
      frame(index, colours.chosen, Math.min(2.5, least / 6));
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

  /** The row and the column below the pointer. */
  cellAt(event) {
    const box = this.base.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left - this.rim[0]) / this.cell[0]);
    const row = Math.floor((event.clientY - box.top - this.rim[1]) / this.cell[1]);
    return row >= 0 && row < this.rows && column >= 0 && column < this.columns ? [row, column] : null;
  }

  clicked(event) {
    const at = this.cellAt(event);
    if (at) focusCell([this.number, ...at], this.against);
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
