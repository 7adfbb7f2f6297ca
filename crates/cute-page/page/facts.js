// The column at the right: facts of the element in focus, bank conflicts, and cells with wanted facts.

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
