// SPDX-License-Identifier: MIT
//
// ten_scopes.h: the shape of the scopes in captures that benchmarks make.
#ifndef FLAMELET_BENCH_TEN_SCOPES_H
#define FLAMELET_BENCH_TEN_SCOPES_H

// Ten scopes: 1 + 3 * (1 + 2).
template <class Begin, class End>
void ten_scopes(Begin begin, End end) {
  begin();
  for (int i = 0; i < 3; ++i) {
    begin();
    for (int leaf = 0; leaf < 2; ++leaf) {
      begin();
      end();
    }
    end();
  }
  end();
}

#endif  // FLAMELET_BENCH_TEN_SCOPES_H
