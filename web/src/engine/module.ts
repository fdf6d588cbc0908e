// A game's WebAssembly module, with its memory. An exported function takes numbers; an array is two
// of them, its address and its length; a tuple is the address of its fields, eight bytes each.

const TYPES = {
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
};
type TypeName = keyof typeof TYPES;
type Fields = Record<string, TypeName>;
type Numbers = Int8Array | Int16Array | Int32Array | Float32Array | Float64Array;

/** What a module says about itself. */
interface Description {
  format: number;
  game: string;
  /** The type of the numbers of a state. */
  state: TypeName;
  tree: Fields;
  scratch: Fields;
  settings: Fields;
  options: Fields;
  net: Fields;
}

const SECTION = 'watermeet';
const FORMAT = 3;
const PAGE = 1 << 16;
const FIELD = 8;
const ALIGNMENT = 16;

/** An array in the memory of a module. */
export interface Place {
  type: TypeName;
  address: number;
  length: number;
}

/** A tuple of arrays in the memory of a module. */
export interface Table {
  address: number;
  fields: Record<string, Place>;
}

export class EngineModule {
  readonly description: Description;
  #memory: WebAssembly.Memory;
  #functions: Record<string, (...given: number[]) => number>;
  /** Where the memory is free for callers. */
  #heap: number;
  #free: number;

  constructor(module: WebAssembly.Module) {
    const section = WebAssembly.Module.customSections(module, SECTION)[0];
    const text = new TextDecoder().decode(section ?? new ArrayBuffer());
    this.description = JSON.parse(text || '{}') as Description;
    if (this.description.format !== FORMAT) throw new Error('This engine is of another version.');
    const { exports } = new WebAssembly.Instance(module);
    this.#memory = exports['memory'] as WebAssembly.Memory;
    this.#functions = exports as Record<string, (...given: number[]) => number>;
    this.#heap = (exports['heap'] as WebAssembly.Global<'i32'>).value;
    this.#free = this.#heap;
  }

  /** Frees everything that was allocated. */
  clear(): void {
    this.#free = this.#heap;
  }

  /** Room for numbers, which is not cleared. */
  allocate(type: TypeName, length: number): Place {
    const address = this.#free;
    const end = address + length * TYPES[type].BYTES_PER_ELEMENT;
    this.#free = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    const missing = this.#free - this.#memory.buffer.byteLength;
    if (missing > 0) this.#memory.grow(Math.ceil(missing / PAGE));
    return { type, address, length };
  }

  /** The numbers at a place, until more is allocated. */
  read(place: Place): Numbers {
    const { type, address, length } = place;
    return new TYPES[type](this.#memory.buffer, address, length) as Numbers;
  }

  /** The 64-bit integers at a place, until more is allocated. */
  readLong(place: Place): BigUint64Array {
    return new BigUint64Array(this.#memory.buffer, place.address, place.length);
  }

  /** The bytes at a place, until more is allocated. */
  bytes(place: Place): Uint8Array {
    const size = place.length * TYPES[place.type].BYTES_PER_ELEMENT;
    return new Uint8Array(this.#memory.buffer, place.address, size);
  }

  /** Room for a state, with these bytes in it. */
  stateOf(content: Uint8Array): Place {
    const type = this.description.state;
    const place = this.allocate(type, content.length / TYPES[type].BYTES_PER_ELEMENT);
    this.bytes(place).set(content);
    return place;
  }

  /** A tuple of new arrays. */
  table(fields: Fields, lengthOf: (name: string) => number): Table {
    const places = Object.entries(fields).map(
      ([name, type]) => [name, this.allocate(type, lengthOf(name))] as const,
    );
    const tuple = this.allocate('int32', 2 * places.length);
    this.read(tuple).set(places.flatMap(([, { address, length }]) => [address, length]));
    return { address: tuple.address, fields: Object.fromEntries(places) };
  }

  /** A tuple of numbers; returns its address. */
  numbers(fields: Fields, values: Record<string, number>): number {
    const names = Object.keys(fields);
    const { address } = this.allocate('float64', names.length);
    const view = new DataView(this.#memory.buffer, address, names.length * FIELD);
    names.forEach((name, index) => {
      const value = values[name] ?? 0;
      if (fields[name] === 'float64') view.setFloat64(index * FIELD, value, true);
      else view.setBigInt64(index * FIELD, BigInt(value), true);
    });
    return address;
  }

  /** Whether there is such a function: not every game has all of them. */
  has(name: string): boolean {
    return name in this.#functions;
  }

  /** Calls an exported function. */
  call(name: string, ...given: (number | Place)[]): number {
    const found = this.#functions[name];
    if (!found) throw new Error(`The engine of ${this.description.game} has no ${name}.`);
    return found(
      ...given.flatMap((each) => (typeof each === 'number' ? [each] : [each.address, each.length])),
    );
  }
}
