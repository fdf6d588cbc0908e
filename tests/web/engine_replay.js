// Replays matches with a game's WebAssembly module, and returns a checksum after every action: of the
// state, who is to move, the legal actions, the probabilities, the evaluation, the priors, what each
// seat knows, and the returns. tests/web/engine_traces.py computes the same by Python's kernels.
function replay(module, matches) {
  const { exports } = new WebAssembly.Instance(module);
  const described = WebAssembly.Module.customSections(module, 'watermeet')[0];
  const { state: type, options: fields } = JSON.parse(new TextDecoder().decode(described));
  const width = { int8: 1, int16: 2, int32: 4, int64: 8 }[type];
  const table = Int32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = (byte >>> 1) ^ (byte & 1 ? 0xedb88320 : 0);
    return byte;
  });
  let sum = 0;
  let memory = new Uint8Array();
  const add = (address, size) => {
    let crc = ~sum;
    for (let at = address; at < address + size; at++)
      crc = (crc >>> 8) ^ table[(crc ^ memory[at]) & 255];
    sum = ~crc;
  };

  return matches.map(({ options, size, cache, action_count, seats, actions }) => {
    let free = exports.heap.value;
    const allocate = (bytes) => {
      const address = free;
      free += Math.ceil(bytes / 16) * 16;
      const missing = free - exports.memory.buffer.byteLength;
      if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
      return address;
    };
    const state = [allocate(size * width), size];
    const other = [allocate(size * width), size];
    const legal = [allocate(4 * action_count), action_count];
    const floats = [allocate(8 * action_count), action_count];
    const returns = [allocate(8 * seats), seats];
    const word = allocate(4);
    const tuple = allocate(8 * Object.keys(fields).length + 8);
    memory = new Uint8Array(exports.memory.buffer);
    const view = new DataView(exports.memory.buffer);
    options.forEach((value, index) => view.setBigInt64(tuple + 8 * index, BigInt(value), true));
    memory.fill(0, state[0], state[0] + size * width);
    exports.setup(...state, tuple);
    sum = 0;
    const sums = [];
    for (let ply = 0; ply <= actions.length; ply++) {
      const mover = exports.to_move(...state);
      const count = exports.legal(...state, ...legal);
      view.setInt32(word, mover, true);
      add(word, 4);
      add(state[0], size * width);
      add(legal[0], 4 * count);
      if (mover === -2) {
        exports.score(...state, ...returns);
        add(returns[0], 8 * seats);
        sums.push(sum);
        break;
      }
      exports.evaluate(...state, ...returns);
      add(returns[0], 8 * seats);
      if (mover === -1) exports.chance(...state, ...floats);
      else exports.priors(...state, ...legal, count, ...floats);
      add(floats[0], 8 * count);
      for (let seat = -1; seat < seats; seat++) {
        exports.conceal(...state, seat, ...other);
        add(other[0], size * width);
      }
      if (cache) {
        memory.copyWithin(other[0], state[0], state[0] + (size - cache) * width);
        exports.rebuild_cache(...other);
        add(other[0], size * width);
      }
      sums.push(sum);
      if (ply < actions.length) exports.apply(...state, actions[ply]);
    }
    return sums;
  });
}
