// The cell below the pointer: its facts in a line, and the cells of other tables that belong to it.

/** The cell below the pointer: the table, and the row and column. */
let hovered;
let awaited = 0;

function hover(table, at) {
  const same = hovered?.table === table && String(hovered?.at) === String(at);
  if (same || (!at && hovered?.table !== table)) return;
  hovered = at ? { table, at } : undefined;
  cancelAnimationFrame(awaited);
  awaited = requestAnimationFrame(() => { showLinks(); showFormula(); });
}

/** The cells that belong to a cell, as pairs of a table and an index: of operands and results, of a tile and its memory. */
function linksOf(table, index) {
  const siblings = tables().filter((own) => own.against === table.against);
  const to = table.grid.of === null ? table.number : table.grid.of;
  const element = table.grid.of === null ? index : table.elements[index];
  if (Number.isNaN(element)) return [];
  const found = [];
  for (const own of siblings) {
    if (own === table) continue;
    if (own.number === to) {
      found.push([own, element]);
    } else if (own.grid.of === to) {
      own.elements.forEach((value, place) => { if (value === element) found.push([own, place]); });
    }
  }
  return found;
}

/** Outlines what belongs to the cell below the pointer, or else to the cell in focus. */
function showLinks() {
  const focused = tables().find((table) => table.isFocused());
  const [table, at] = hovered ? [hovered.table, hovered.at] : [focused, cell.slice(1)];
  for (const own of tables()) own.linked = [];
  if (table) {
    const index = at[0] * table.columns + at[1];
    if (hovered) table.linked.push(index);
    for (const [own, place] of linksOf(table, index)) own.linked.push(place);
  }
  for (const own of tables()) own.outline(theme);
}

/** The answer about the element in focus. */
let focusFacts = { facts: [] };

/** The facts of the cell below the pointer, or else of the one in focus, each with the first of its equations. */
function showFormula() {
  const shown = el('formula');
  let answer = focusFacts;
  if (hovered) {
    const { table, at } = hovered;
    answer = call('view', JSON.stringify({ ...question(table.against), cell: [table.number, ...at] }));
  }
  if (answer.error !== undefined) {
    shown.textContent = answer.error;
    return;
  }
  shown.textContent = answer.facts.map(({ name, value, steps }) => {
    const why = steps.find((step) => !step.startsWith('back:') && step.includes('='));
    return `${name} ${value}${why && name !== 'coordinate' ? ` (${why})` : ''}`;
  }).join(', ');
}
