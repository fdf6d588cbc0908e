import { expect, test } from 'vitest';
import { sizeOf } from './download';

test('the size of a picture is that of its frame', () => {
  expect(sizeOf('<svg viewBox="-5 0 320.5 200" width="9">')).toEqual({ width: 320.5, height: 200 });
  expect(sizeOf('<svg viewBox="0,0,3,4">')).toEqual({ width: 3, height: 4 });
  expect(sizeOf('<svg>')).toEqual({ width: 1, height: 1 });
});
