// Plays random matches with a game's WebAssembly module, and returns the checksum of each. It does what
// watermeet.testing.traces.trace_match does by Python's kernels, with the same random numbers. With `steps`,
// it returns the checksums of all states of each match instead.
const EVERY = 7;
const [CHANCE, OVER] = [-1, -2];
const [MULTIPLIER, HALF] = [4294883355n, 4294967296];

function trace(module, { options, size, identity, action_count, seats, seeds, steps }) {
  const { exports } = new WebAssembly.Instance(module);
  const described = WebAssembly.Module.customSections(module, 'watermeet')[0];
  const { state: type } = JSON.parse(new TextDecoder().decode(described));
  const [Words, width] = {
    int8: [Int8Array, 1], int16: [Int16Array, 2], int32: [Int32Array, 4], int64: [Int32Array, 8],
  }[type];
  let free = exports.heap.value;
  const allocate = (length, bytes) => {
    const address = free;
    free += Math.ceil((length * bytes) / 16) * 16;
    return [address, length];
  };
  const tuple = allocate(options.length, 8)[0];
  const first = free;
  const [state, other] = [allocate(size, width), allocate(size, width)];
  const [actions, weights] = [allocate(action_count, 4), allocate(action_count, 8)];
  const returns = allocate(seats, 8);
  const missing = free - exports.memory.buffer.byteLength;
  if (missing > 0) exports.memory.grow(Math.ceil(missing / 65536));
  const { buffer } = exports.memory;
  const view = new DataView(buffer);
  options.forEach((value, index) => view.setBigInt64(tuple + 8 * index, BigInt(value), true));

  let total = 0;
  const add = (number) => (total = Math.imul(total ^ number, 16777619));
  const addAll = (array, step = 1) => {
    for (let at = 0; at < array.length; at += step) add(array[at]);
  };
  const stride = width === 8 ? 2 : 1; // Of 64 bits, the lower half counts.
  const addState = ([address, length]) => addAll(new Words(buffer, address, length * stride), stride);
  const addIntegers = ([address], count) => addAll(new Int32Array(buffer, address, count));
  const addFloats = ([address], count) => addAll(new Int32Array(buffer, address, 2 * count));

  const play = (seed) => {
    let word = BigInt(seed);
    const next = () => {
      const [low, carry] = [word & 0xffffffffn, word >> 32n];
      word = low * MULTIPLIER + carry;
      return Number(low ^ carry);
    };
    const below = (span) => {
      const limit = HALF % span;
      for (;;) {
        const product = next() * span;
        if (product % HALF >= limit) return Math.floor(product / HALF);
      }
    };
    const weighted = (count) => {
      let drawn = (next() + 0.5) / HALF;
      for (let index = 0; index < count - 1; index++) {
        drawn -= view.getFloat64(weights[0] + 8 * index, true);
        if (drawn < 0) return index;
      }
      return count - 1;
    };

    new Uint8Array(buffer).fill(0, first, free);
    exports.setup(...state, tuple);
    total = 2166136261 | 0;
    const sums = [];
    for (let step = 0; ; step++) {
      const mover = exports.to_move(...state);
      const count = exports.legal(...state, ...actions);
      add(mover);
      addState(state);
      addIntegers(actions, count);
      if (mover === OVER) {
        exports.score(...state, ...returns);
        addFloats(returns, seats);
        sums.push(total >>> 0);
        return steps ? sums : total >>> 0;
      }
      if (mover === CHANCE) {
        exports.chance(...state, ...weights);
        addFloats(weights, count);
      }
      if (step % EVERY === 0) {
        exports.evaluate(...state, ...returns);
        addFloats(returns, seats);
        if (mover !== CHANCE) {
          exports.priors(...state, ...actions, count, ...weights);
          addFloats(weights, count);
        }
        exports.conceal(...state, (step % (seats + 1)) - 1, ...other);
        addState(other);
        if (identity < size) {
          new Uint8Array(buffer).copyWithin(other[0], state[0], state[0] + identity * width);
          exports.rebuild_cache(...other);
          addState(other);
        }
      }
      sums.push(total >>> 0);
      if (mover === CHANCE) exports.chance(...state, ...weights);
      const index = mover === CHANCE ? weighted(count) : below(count);
      exports.apply(...state, view.getInt32(actions[0] + 4 * index, true));
    }
  };
  return seeds.map(play);
}
