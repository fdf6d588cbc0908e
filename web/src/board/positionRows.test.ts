import { expect, test } from 'vitest';
import { fieldOf, putAt, readRows, seatOf, withField, withSeat, writeRows } from './positionRows';

test('rows are read and written', () => {
  for (const text of ['5/1r3/5', '3/1rb/r2', '7/3e*3', '12/rr10'])
    expect(writeRows(readRows(text))).toBe(text);
  expect(readRows('2r/.b.')).toEqual([
    ['', '', 'r'],
    ['', 'b', ''],
  ]);
});

test('a piece is put into a cell, and taken away', () => {
  expect(putAt('3/3/3', 4, 'r')).toBe('3/1r1/3');
  expect(putAt('3/1r1/3', 4, '')).toBe('3/3/3');
  expect(putAt('2/3', 2, 'b')).toBe('2/b2');
});

test('fields are found and changed', () => {
  const text = 'turn=1 done=5 board=7/7';
  expect(fieldOf(text, 'board')).toBe('7/7');
  expect(withField(text, 'board', '6e/7')).toBe('turn=1 done=5 board=6e/7');
  expect(withField(text, 'done', '')).toBe('turn=1 board=7/7');
  expect(withSeat(text, '0')).toBe('turn=0 done=5 board=7/7');
  expect(seatOf(text)).toBe('1');
});
