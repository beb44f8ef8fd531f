// SPDX-License-Identifier: MIT
//
// chrome_words.h: words that the exporter of Chrome JSON writes into fields of its own and the importer reads there.
#ifndef FLAMELET_EXPORT_SRC_CHROME_WORDS_H
#define FLAMELET_EXPORT_SRC_CHROME_WORDS_H

#include <string_view>

namespace flamelet::formats {

inline constexpr std::string_view kLaneWords[] = {"thread", "gpu", "external", "fiber"};  // flamelet_lane_kind
// The words for what is no lane of the capture.
inline constexpr std::string_view kFramesWord = "frames";
inline constexpr std::string_view kFrameSetWord = "frame_set";  // its name is that of the set
inline constexpr std::string_view kIntervalsWord = "intervals";

}  // namespace flamelet::formats

#endif  // FLAMELET_EXPORT_SRC_CHROME_WORDS_H
