// The column at the right: facts of the element in focus, bank conflicts, and cells with wanted facts.

function goTo(row, column) {
  const button = make('button', 'mono', `(${row},${column})`);
  button.type = 'button';
  button.addEventListener('click', () => focusCell([0, row, column], false));
  return button;
}

function showConflicts(conflicts) {
  const shown = [];
  const tile = views[0]?.tables[0];
  if (tile) {
    const threads = (conflicts?.crowds ?? []).flatMap((crowd) => crowd.threads);
    tile.crowd = threads.map(({ row, column }) => row * tile.columns + column);
  }
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
  showLinks();
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
  showFormula();
}

/** The facts of the element in focus, in a table of the first or the second expression. */
function factsOf(table) {
  const answer = call('view', JSON.stringify({ ...question(table.against), cell }));
  if (table.isFocused()) focusFacts = answer;
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

/** A part of what the field of the finder says: a fact and a range, or a coordinate of a table. */
const PARTS = new RegExp([
  '(?<name>[^=,]*[^=,\\s])\\s*=\\s*(?<from>-?\\d+)(?:\\.\\.(?<to>-?\\d+))?',
  '(?<of>[A-Za-z]+)?\\s*(?<place>\\([\\d,() ]+\\))',
  '(?<short>[A-Za-z]+)(?<value>-?\\d+)',
].join('|'), 'g');

/** The conditions of the field, each a function of a table that returns one of an index, and what cannot be read. */
function wanted(text) {
  const conditions = [];
  const rest = text.replace(PARTS, (...matched) => {
    const { name, from, to, of, place, short, value } = matched.at(-1);
    const within = (values, low, high) => values && ((index) => values[index] >= low && values[index] <= high);
    if (name) {
      conditions.push((table) => within(table.facets.get(name.trim()), Number(from), Number(to ?? from)));
    } else if (short) {
      conditions.push((table) => {
        const line = table.grid.lines.find(([before]) => before === short);
        return line && within(table.grid.facets[line[1]].values, Number(value), Number(value));
      });
    } else {
      conditions.push((table) => atCoordinate(table, of, place.replaceAll(' ', '')));
    }
    return '';
  }).replace(/[\s,]+/g, ' ').trim();
  return { conditions, rest };
}

/** Whether a cell is at a coordinate, such as `C(3,5)` of the table C. */
function atCoordinate(table, of, place) {
  if (of && !table.grid.title.startsWith(of)) return undefined;
  // B is drawn with its second mode down.
  const turned = /^B: k down/.test(table.grid.title);
  const { rows, columns } = table.grid;
  return (index) => {
    const [row, column] = [rows[Math.floor(index / table.columns)], columns[index % table.columns]];
    return place === (turned ? `(${column},${row})` : `(${row},${column})`);
  };
}

/** Marks the cells with the facts that the field names, such as `bank=3`, `T5 V1` or `C(3,5)`. */
function find(moves = false) {
  const text = el('find').value.trim();
  state.find = text;
  const { conditions, rest } = wanted(text);
  let [count, first, known] = [0, undefined, 0];
  for (const table of tables()) {
    table.marked = [];
    const tests = conditions.map((condition) => condition(table));
    if (!tests.length || !tests.every(Boolean)) continue;
    known += 1;
    for (let i = 0; i < table.rows * table.columns; i++) {
      if (tests.every((test) => test(i))) table.marked.push(i);
    }
    count += table.marked.length;
    if (table.marked.length) first ??= table;
  }
  const names = [...new Set(tables().flatMap((table) => [...table.facets.keys()]))];
  const help = `Write facts, such as ${names[0] ?? 'index'}=0..3, cells as they are drawn, or a coordinate such as (1,2). `
    + `The facts are ${names.join(', ')}`;
  el('found').textContent = text === '' ? '' : rest ? `'${rest}' cannot be read. ${help}` : known === 0 ? help
    : `${count} ${count === 1 ? 'cell' : 'cells'}`;
  if (moves && first && !(tables().find((table) => table.isFocused())?.marked.includes(cell[1] * first.columns + cell[2]))) {
    const index = first.marked[0];
    focusCell([first.number, Math.floor(index / first.columns), index % first.columns], first.against);
  }
  for (const table of tables()) table.outline(theme);
}
