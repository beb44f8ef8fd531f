// SPDX-License-Identifier: MIT
//
// inflate.js: what gzip compressed (RFC 1951, RFC 1952), for browsers without DecompressionStream: Firefox before 113,
// Safari before 16.4. The page's own data, so nothing is checked.
'use strict';
function inflateGzip(input) {
  const size = new DataView(input.buffer, input.byteOffset + input.length - 4).getUint32(0, true);
  const output = new Uint8Array(size);
  let at = 10;  // behind the header; tools that pack a page write no fields into it
  let written = 0, bits = 0, bitCount = 0;

  function take(count) {
    while (bitCount < count) {
      bits |= input[at++] << bitCount;
      bitCount += 8;
    }
    const value = bits & ((1 << count) - 1);
    bits >>>= count;
    bitCount -= count;
    return value;
  }

  // Canonical Huffman codes: how many there are of each length, and the symbols in the order of their codes.
  function codeOf(lengths) {
    const counts = new Uint16Array(16);
    for (const length of lengths) ++counts[length];
    counts[0] = 0;
    const places = new Uint16Array(16);
    for (let i = 1; i < 15; ++i) places[i + 1] = places[i] + counts[i];
    const symbols = new Uint16Array(lengths.length);
    lengths.forEach((length, symbol) => { if (length !== 0) symbols[places[length]++] = symbol; });
    return { counts, symbols };
  }
  function takeSymbol({ counts, symbols }) {
    let code = 0, first = 0, index = 0;
    for (let length = 1; ; ++length) {
      code |= take(1);
      const count = counts[length];
      if (code - count < first) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
  }

  // The first value and the number of further bits of each symbol for a length and for a distance.
  const lengthBits = (i) => (i < 8 || i === 28 ? 0 : (i >> 2) - 1);
  const lengthBase = [];
  for (let i = 0, base = 3; i < 28; base += 1 << lengthBits(i), ++i) lengthBase.push(base);
  lengthBase.push(258);
  const distanceBits = (i) => (i < 4 ? 0 : (i >> 1) - 1);
  const distanceBase = [];
  for (let i = 0, base = 1; i < 30; base += 1 << distanceBits(i), ++i) distanceBase.push(base);

  function copyBlock() {
    bits = bitCount = 0;  // to the next byte
    const length = input[at] | (input[at + 1] << 8);
    output.set(input.subarray(at + 4, at + 4 + length), written);
    at += 4 + length;
    written += length;
  }
  function readCodes() {
    const literals = take(5) + 257, distances = take(5) + 1, count = take(4) + 4;
    const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
    const lengths = new Array(19).fill(0);
    for (let i = 0; i < count; ++i) lengths[order[i]] = take(3);
    const code = codeOf(lengths);
    const all = [];
    while (all.length < literals + distances) {
      const symbol = takeSymbol(code);
      if (symbol < 16) all.push(symbol);
      else if (symbol === 16) for (let i = take(2) + 3, last = all[all.length - 1]; i > 0; --i) all.push(last);
      else for (let i = symbol === 17 ? take(3) + 3 : take(7) + 11; i > 0; --i) all.push(0);
    }
    return [codeOf(all.slice(0, literals)), codeOf(all.slice(literals))];
  }
  function fixedCodes() {
    const lengths = [];
    for (let i = 0; i < 288; ++i) lengths.push(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
    return [codeOf(lengths), codeOf(new Array(30).fill(5))];
  }

  for (let last = false; !last;) {
    last = take(1) === 1;
    const kind = take(2);
    if (kind === 0) {
      copyBlock();
      continue;
    }
    const [literals, distances] = kind === 1 ? fixedCodes() : readCodes();
    for (;;) {
      const symbol = takeSymbol(literals);
      if (symbol < 256) {
        output[written++] = symbol;
        continue;
      }
      if (symbol === 256) break;
      const length = lengthBase[symbol - 257] + take(lengthBits(symbol - 257));
      const far = takeSymbol(distances);
      const distance = distanceBase[far] + take(distanceBits(far));
      for (const end = written + length; written < end; ++written) output[written] = output[written - distance];
    }
  }
  return output;
}
