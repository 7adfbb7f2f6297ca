// The two rooms of the page: which of them is open follows from the fragment.

function enter() {
  const name = location.hash.startsWith('#kernels') ? 'kernels' : 'layouts';
  root.dataset.room = name;
  for (const link of document.querySelectorAll('[data-room]')) {
    if (link === root) continue;
    if (link.dataset.room === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const title = name === 'kernels' ? 'Kernels' : 'Layouts';
  document.querySelector('h1').textContent = title;
  document.title = `${title}: cute-mlir`;
  if (name === 'kernels') {
    bench.start();
    followKernels();
  }
}

// A link to a room returns to what it has.
for (const anchor of document.querySelectorAll('nav [data-room]')) {
  anchor.addEventListener('click', (event) => {
    event.preventDefault();
    const isKernels = anchor.dataset.room === 'kernels';
    location.hash = isKernels ? given.link ?? '#kernels' : link();
    root.dataset.room = anchor.dataset.room;
  });
}
prepareKernels();
enter();
window.addEventListener('hashchange', enter);
