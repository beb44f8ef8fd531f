// SPDX-License-Identifier: MIT
//
// distribution_columns.h: a distribution of durations as columns of a table.
#ifndef FLAMELET_TOOLS_DISTRIBUTION_COLUMNS_H
#define FLAMELET_TOOLS_DISTRIBUTION_COLUMNS_H

#include <flamelet/statistics.h>

#include <vector>

#include "table.h"

namespace flamelet::tools {

inline void add_distribution_columns(Table* table) {
  table->columns.insert(table->columns.end(), {{"min_ns", "min", ColumnKind::kNs, 5},
                                               {"mean_ns", "mean", ColumnKind::kNs, 2},
                                               {"median_ns", "median", ColumnKind::kNs, 4},
                                               {"p95_ns", "p95", ColumnKind::kNs, 3},
                                               {"p99_ns", "", ColumnKind::kNs},
                                               {"max_ns", "max", ColumnKind::kNs}});
}

inline void add_distribution_cells(const flamelet_distribution& of, std::vector<Cell>* row) {
  row->insert(row->end(), {of.min_ns, of.mean_ns, of.median_ns, of.p95_ns, of.p99_ns, of.max_ns});
}

}  // namespace flamelet::tools

#endif  // FLAMELET_TOOLS_DISTRIBUTION_COLUMNS_H
