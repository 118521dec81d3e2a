// A WebSocket that the test holds the other end of.
export function fakeSockets() {
  const sockets = [];
  class FakeSocket {
    readyState = 0;
    bufferedAmount = 0;
    sent = [];
    constructor(url, protocol) {
      Object.assign(this, { url, protocol });
      sockets.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    close(code) {
      this.readyState = 3;
      this.closedWith = code;
    }
    open() {
      this.readyState = 1;
      this.onopen();
    }
    hear(...events) {
      this.onmessage({ data: JSON.stringify(events) });
    }
    lose(code = 1006) {
      this.readyState = 3;
      this.onclose({ code, reason: '' });
    }
    take() {
      return this.sent.splice(0);
    }
  }
  return { sockets, FakeSocket, get last() { return sockets.at(-1); } };
}

export const memory = () => {
  const map = new Map();
  return {
    map,
    getItem: (k) => map.get(k) ?? null,
    setItem: (k, v) => map.set(k, v),
    removeItem: (k) => map.delete(k),
  };
};

export const id = (n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
export const icon = (n, more = {}) => ({ id: id(n), red: 1, green: 0.5, blue: 0, ...more });
export const ME = id(900);

export function board(revision = 0, lists = { a: [1, 2, 3, 4], b: [5, 6] }) {
  return {
    id: 'x', title: 'X', revision, epoch: 'one', presentation: { axis: 'free', minimumPressMs: 300 },
    sections: Object.entries(lists).map(([key, icons]) => ({
      id: key, title: key, layout: { kind: 'grid', columns: 4 }, lift: 'move', drop: 'any',
      icons: icons.map((n) => (typeof n === 'number' ? icon(n) : n)),
    })),
  };
}

export const order = (value) => Object.fromEntries(value.sections.map((section) =>
  [section.id, section.icons.map((each) => Number(each.id.slice(-4))).join(' ')]));

export const welcome = (more = {}) => ({
  type: 'welcome', peer: 1, role: 'owner', epoch: 'one', revision: 0, lastSeq: 0, recovered: false,
  board: board(more.revision ?? 0), peers: [{ peer: 1, client: ME, name: 'Mia', colour: '#123456' }],
  drags: [], limits: { messageBytes: 65_536, icons: 2_000 }, ...more,
});

export const moved = (revision, n, from, to, more = {}) => ({
  type: 'commit', revision, peer: 2, client: id(901), seq: revision, at: 0,
  edit: {
    kind: 'icon.move',
    moves: [{
      icon: id(n),
      from: { section: from[0], index: from[1] },
      to: { section: to[0], index: to[1] },
    }],
  },
  ...more,
});

export const move = (n, to) => ({ kind: 'icon.move', icons: [id(n)], to });

/** A client that has been welcomed, and the network it speaks through. */
export async function joined(connect, more, options) {
  const net = fakeSockets();
  const client = connect('x', {
    origin: 'http://host:8080', client: ME.toUpperCase(), name: 'Mia', WebSocket: net.FakeSocket, storage: memory(),
    random: () => 1, ...options,
  });
  await client.ready;
  net.last.open();
  const [hello] = net.last.take();
  net.last.hear(welcome(more));
  return { client, net, hello };
}
