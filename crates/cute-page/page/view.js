// From the fields to pictures: asks the module, and shows its answer.

function say(text) {
  el('message').textContent = text;
  el('message').hidden = !text;
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
  let number = 0;
  const rows = answer.grids.map((row) => row.map((grid) => (grid ? made[number++] : null)));
  const title = answer.title || answer.kind;
  for (const table of made) table.named(title);
  const view = { element, area, tables: made, rows, title, across: answer.grids[0]?.length };
  drawView(view);
  return view;
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
    // The only table of a row has the width of all.
    if (row.length === 1) table.element.classList.add('alone');
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
    say(`field 'Bits of an element': a number is needed, not '${state.bits}'`);
    el('pictures').classList.add('old');
    return;
  }
  const answer = call('view', JSON.stringify(asked));
  if (answer.error !== undefined) {
    // The last picture stays while an expression is being typed, but pale.
    el('pictures').classList.add('old');
    for (const [name, label] of Object.entries(labels)) {
      if (answer.error.includes(`'${label}'`)) el(name).closest('label').hidden = false;
    }
    say(note ? `${note}\n${answer.error}` : answer.error);
    return;
  }
  say(note);
  el('pictures').classList.remove('old');
  hovered = undefined;
  showFields(answer);
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
  showLinks();
  save();
}

/** Hides the fields that the values do not take, unless something is written there. */
function showFields(answer) {
  const taken = new Set(['expression', 'against', ...answer.fields, ...(answer.against?.fields ?? [])]);
  for (const name of TEXTS) el(name).closest('label').hidden = !taken.has(name) && !state[name];
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
