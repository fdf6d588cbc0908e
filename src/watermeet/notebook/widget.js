// The widget of watermeet.notebook, as anywidget wants it. The board has a frame of its own, so that its
// style and the notebook's don't meet. The names in capitals are replaced by what the client's build made.
const source = SOURCE;
const style = STYLE;
const page =
  '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
  '<meta name="viewport" content="width=device-width, initial-scale=1"></head>' +
  '<body><div id="app"></div></body></html>';

function isDark() {
  const body = document.body;
  if (body.dataset.jpThemeLight) return body.dataset.jpThemeLight === 'false';
  if (body.dataset.vscodeThemeKind) return body.dataset.vscodeThemeKind.includes('dark');
  return matchMedia('(prefers-color-scheme: dark)').matches;
}

function render({ model, el }) {
  const frame = document.createElement('iframe');
  frame.title = 'A board';
  frame.style.cssText = 'border: 0; display: block; width: 100%; min-height: 20rem';
  const listeners = new Set();
  const changed = () => listeners.forEach((listener) => listener());
  model.on('change:_shown', changed);
  // A frame that is moved within the page loads again.
  frame.addEventListener('load', () => {
    const inside = frame.contentDocument;
    listeners.clear();
    frame.contentWindow.watermeet = {
      shown: () => model.get('_shown'),
      listen: (listener) => listeners.add(listener),
      send: (request) => model.send(request),
      theme: () => (inside.documentElement.dataset.theme = isDark() ? 'dark' : 'light'),
    };
    inside.head.append(Object.assign(inside.createElement('style'), { textContent: style }));
    inside.body.append(
      Object.assign(inside.createElement('script'), { type: 'module', textContent: source }),
    );
    const app = inside.getElementById('app');
    const grow = () => (frame.style.height = `${app.offsetHeight + 8}px`);
    new frame.contentWindow.ResizeObserver(grow).observe(app);
  });
  frame.srcdoc = page;
  el.append(frame);
  return () => {
    model.off('change:_shown', changed);
    frame.remove();
  };
}

export default { render };
