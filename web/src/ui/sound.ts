// The sounds of a match: knocks of wood and drops of water, made here with the Web Audio API, so
// there are no files to load. Browsers let a page sound only after a first click or key.
import { settings } from '../app/settings.svelte';

export type Sound = 'move' | 'turn' | 'capture' | 'win' | 'loss' | 'low';

/** A part of a sound: when, how long and how loud; from which pitch to which; of what. */
type Part = [at: number, length: number, gain: number, from: number, to: number, kind: Kind];
/** A struck bar with its overtone; a drop, whose pitch glides; a rush, which is filtered noise. */
type Kind = 'wood' | 'drop' | 'rush';

const SOUNDS: Record<Sound, Part[]> = {
  move: [
    [0, 0.12, 0.5, 392, 392, 'wood'],
    [0, 0.03, 0.25, 1800, 900, 'rush'],
  ],
  turn: [
    [0, 0.16, 0.34, 520, 700, 'drop'],
    [0.13, 0.26, 0.34, 700, 940, 'drop'],
  ],
  capture: [
    [0, 0.5, 0.5, 300, 1400, 'rush'],
    [0.05, 0.14, 0.3, 420, 640, 'drop'],
    [0.17, 0.2, 0.24, 560, 860, 'drop'],
  ],
  win: [
    [0, 0.4, 0.32, 523.25, 523.25, 'wood'],
    [0.12, 0.4, 0.32, 659.25, 659.25, 'wood'],
    [0.24, 0.5, 0.32, 783.99, 783.99, 'wood'],
    [0.38, 0.8, 0.34, 1046.5, 1046.5, 'wood'],
  ],
  loss: [
    [0, 0.45, 0.34, 440, 440, 'wood'],
    [0.18, 0.5, 0.34, 392, 392, 'wood'],
    [0.38, 0.8, 0.34, 329.63, 329.63, 'wood'],
  ],
  low: [
    [0, 0.07, 0.36, 880, 880, 'wood'],
    [0.16, 0.07, 0.36, 880, 880, 'wood'],
  ],
};

/** A sound that can't begin within this time isn't played late. */
const LATE_MS = 400;
/** The same sound again, this soon, is one sound. */
const AGAIN_MS = 60;

let context: AudioContext | null = null;
let isBroken = false;
const playedAt: Partial<Record<Sound, number>> = {};

/** Plays a sound, if the settings allow it. On a hidden page only the call to your turn sounds. */
export function play(name: Sound): void {
  if (!settings.sound || settings.volume <= 0 || (document.hidden && name !== 'turn')) return;
  const now = performance.now();
  if (now - (playedAt[name] ?? -AGAIN_MS) < AGAIN_MS) return;
  playedAt[name] = now;
  const audio = open();
  if (!audio) return;
  if (audio.state === 'running') return schedule(audio, name, settings.volume / 100);
  void audio.resume().then(
    () => {
      if (performance.now() - now < LATE_MS) schedule(audio, name, settings.volume / 100);
    },
    () => {}, // Still locked: the page shows everything that it would have played.
  );
}

/** Unlocks the sounds at the first click or key. */
export function unlockSounds(): void {
  const unlock = () => {
    if (settings.sound) void open()?.resume();
  };
  for (const gesture of ['pointerdown', 'keydown'])
    addEventListener(gesture, unlock, { capture: true, once: true, passive: true });
}

function open(): AudioContext | null {
  if (!context && !isBroken) {
    try {
      context = new AudioContext({ latencyHint: 'interactive' });
    } catch {
      isBroken = true; // No audio here.
    }
  }
  return context;
}

/** Puts the parts of a sound on the time line of an audio context. */
export function schedule(audio: BaseAudioContext, name: Sound, volume: number): void {
  const master = audio.createGain();
  master.gain.value = volume;
  master.connect(audio.destination);
  for (const [delay, length, gain, from, to, kind] of SOUNDS[name]) {
    const at = audio.currentTime + 0.01 + delay;
    if (kind === 'rush') {
      rush(audio, master, at, length, gain, from, to);
      continue;
    }
    tone(audio, master, at, length, gain, from, to);
    // A wooden bar's first overtone is almost two octaves above, and fades sooner.
    if (kind === 'wood') tone(audio, master, at, length / 3, gain / 4, from * 3.93, to * 3.93);
  }
}

function tone(
  audio: BaseAudioContext,
  out: AudioNode,
  at: number,
  length: number,
  gain: number,
  from: number,
  to: number,
): void {
  const source = audio.createOscillator();
  source.frequency.setValueAtTime(from, at);
  if (to !== from) source.frequency.exponentialRampToValueAtTime(to, at + length * 0.6);
  source.connect(envelope(audio, out, at, length, gain, 0.004));
  source.start(at);
  source.stop(at + length + 0.02);
}

function rush(
  audio: BaseAudioContext,
  out: AudioNode,
  at: number,
  length: number,
  gain: number,
  from: number,
  to: number,
): void {
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let index = 0; index < samples.length; index++) samples[index] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = noise;
  const band = audio.createBiquadFilter();
  band.type = 'bandpass';
  band.frequency.setValueAtTime(from, at);
  band.frequency.exponentialRampToValueAtTime(to, at + length);
  source.connect(band).connect(envelope(audio, out, at, length, gain, length * 0.3));
  source.start(at);
}

/** Rises quickly and fades away, without a click. */
function envelope(
  audio: BaseAudioContext,
  out: AudioNode,
  at: number,
  length: number,
  gain: number,
  rise: number,
): GainNode {
  const volume = audio.createGain();
  volume.gain.setValueAtTime(0.0001, at);
  volume.gain.exponentialRampToValueAtTime(gain, at + rise);
  volume.gain.exponentialRampToValueAtTime(0.0001, at + length);
  volume.connect(out);
  return volume;
}
