// SPDX-License-Identifier: MIT
//
// flamelet_shim/x11_colors.h: the colours of X11, for headers that name them. Included by those alone.
#ifndef FLAMELET_SHIM_X11_COLORS_H
#define FLAMELET_SHIM_X11_COLORS_H

// clang-format off

// X(name, NAME, 0xRRGGBB)
#define FLAMELET_SHIM_X11_COLORS_(X) \
  X(AliceBlue, ALICEBLUE, 0xf0f8ff) X(AntiqueWhite, ANTIQUEWHITE, 0xfaebd7) X(Aqua, AQUA, 0x00ffff) \
  X(Aquamarine, AQUAMARINE, 0x7fffd4) X(Azure, AZURE, 0xf0ffff) X(Beige, BEIGE, 0xf5f5dc) X(Bisque, BISQUE, 0xffe4c4) \
  X(Black, BLACK, 0x000000) X(BlanchedAlmond, BLANCHEDALMOND, 0xffebcd) X(Blue, BLUE, 0x0000ff) \
  X(BlueViolet, BLUEVIOLET, 0x8a2be2) X(Brown, BROWN, 0xa52a2a) X(Burlywood, BURLYWOOD, 0xdeb887) \
  X(CadetBlue, CADETBLUE, 0x5f9ea0) X(Chartreuse, CHARTREUSE, 0x7fff00) X(Chocolate, CHOCOLATE, 0xd2691e) \
  X(Coral, CORAL, 0xff7f50) X(CornflowerBlue, CORNFLOWERBLUE, 0x6495ed) X(Cornsilk, CORNSILK, 0xfff8dc) \
  X(Crimson, CRIMSON, 0xdc143c) X(Cyan, CYAN, 0x00ffff) X(DarkBlue, DARKBLUE, 0x00008b) \
  X(DarkCyan, DARKCYAN, 0x008b8b) X(DarkGoldenrod, DARKGOLDENROD, 0xb8860b) X(DarkGray, DARKGRAY, 0xa9a9a9) \
  X(DarkGreen, DARKGREEN, 0x006400) X(DarkGrey, DARKGREY, 0xa9a9a9) X(DarkKhaki, DARKKHAKI, 0xbdb76b) \
  X(DarkMagenta, DARKMAGENTA, 0x8b008b) X(DarkOliveGreen, DARKOLIVEGREEN, 0x556b2f) \
  X(DarkOrange, DARKORANGE, 0xff8c00) X(DarkOrchid, DARKORCHID, 0x9932cc) X(DarkRed, DARKRED, 0x8b0000) \
  X(DarkSalmon, DARKSALMON, 0xe9967a) X(DarkSeaGreen, DARKSEAGREEN, 0x8fbc8f) \
  X(DarkSlateBlue, DARKSLATEBLUE, 0x483d8b) X(DarkSlateGray, DARKSLATEGRAY, 0x2f4f4f) \
  X(DarkSlateGrey, DARKSLATEGREY, 0x2f4f4f) X(DarkTurquoise, DARKTURQUOISE, 0x00ced1) \
  X(DarkViolet, DARKVIOLET, 0x9400d3) X(DeepPink, DEEPPINK, 0xff1493) X(DeepSkyBlue, DEEPSKYBLUE, 0x00bfff) \
  X(DimGray, DIMGRAY, 0x696969) X(DimGrey, DIMGREY, 0x696969) X(DodgerBlue, DODGERBLUE, 0x1e90ff) \
  X(Firebrick, FIREBRICK, 0xb22222) X(FloralWhite, FLORALWHITE, 0xfffaf0) X(ForestGreen, FORESTGREEN, 0x228b22) \
  X(Fuchsia, FUCHSIA, 0xff00ff) X(Gainsboro, GAINSBORO, 0xdcdcdc) X(GhostWhite, GHOSTWHITE, 0xf8f8ff) \
  X(Gold, GOLD, 0xffd700) X(Goldenrod, GOLDENROD, 0xdaa520) X(Gray, GRAY, 0xbebebe) X(Green, GREEN, 0x00ff00) \
  X(GreenYellow, GREENYELLOW, 0xadff2f) X(Grey, GREY, 0xbebebe) X(Honeydew, HONEYDEW, 0xf0fff0) \
  X(HotPink, HOTPINK, 0xff69b4) X(IndianRed, INDIANRED, 0xcd5c5c) X(Indigo, INDIGO, 0x4b0082) \
  X(Ivory, IVORY, 0xfffff0) X(Khaki, KHAKI, 0xf0e68c) X(Lavender, LAVENDER, 0xe6e6fa) \
  X(LavenderBlush, LAVENDERBLUSH, 0xfff0f5) X(LawnGreen, LAWNGREEN, 0x7cfc00) X(LemonChiffon, LEMONCHIFFON, 0xfffacd) \
  X(LightBlue, LIGHTBLUE, 0xadd8e6) X(LightCoral, LIGHTCORAL, 0xf08080) X(LightCyan, LIGHTCYAN, 0xe0ffff) \
  X(LightGoldenrod, LIGHTGOLDENROD, 0xeedd82) X(LightGoldenrodYellow, LIGHTGOLDENRODYELLOW, 0xfafad2) \
  X(LightGray, LIGHTGRAY, 0xd3d3d3) X(LightGreen, LIGHTGREEN, 0x90ee90) X(LightGrey, LIGHTGREY, 0xd3d3d3) \
  X(LightPink, LIGHTPINK, 0xffb6c1) X(LightSalmon, LIGHTSALMON, 0xffa07a) X(LightSeaGreen, LIGHTSEAGREEN, 0x20b2aa) \
  X(LightSkyBlue, LIGHTSKYBLUE, 0x87cefa) X(LightSlateBlue, LIGHTSLATEBLUE, 0x8470ff) \
  X(LightSlateGray, LIGHTSLATEGRAY, 0x778899) X(LightSlateGrey, LIGHTSLATEGREY, 0x778899) \
  X(LightSteelBlue, LIGHTSTEELBLUE, 0xb0c4de) X(LightYellow, LIGHTYELLOW, 0xffffe0) X(Lime, LIME, 0x00ff00) \
  X(LimeGreen, LIMEGREEN, 0x32cd32) X(Linen, LINEN, 0xfaf0e6) X(Magenta, MAGENTA, 0xff00ff) \
  X(Maroon, MAROON, 0xb03060) X(MediumAquamarine, MEDIUMAQUAMARINE, 0x66cdaa) X(MediumBlue, MEDIUMBLUE, 0x0000cd) \
  X(MediumOrchid, MEDIUMORCHID, 0xba55d3) X(MediumPurple, MEDIUMPURPLE, 0x9370db) \
  X(MediumSeaGreen, MEDIUMSEAGREEN, 0x3cb371) X(MediumSlateBlue, MEDIUMSLATEBLUE, 0x7b68ee) \
  X(MediumSpringGreen, MEDIUMSPRINGGREEN, 0x00fa9a) X(MediumTurquoise, MEDIUMTURQUOISE, 0x48d1cc) \
  X(MediumVioletRed, MEDIUMVIOLETRED, 0xc71585) X(MidnightBlue, MIDNIGHTBLUE, 0x191970) \
  X(MintCream, MINTCREAM, 0xf5fffa) X(MistyRose, MISTYROSE, 0xffe4e1) X(Moccasin, MOCCASIN, 0xffe4b5) \
  X(NavajoWhite, NAVAJOWHITE, 0xffdead) X(Navy, NAVY, 0x000080) X(NavyBlue, NAVYBLUE, 0x000080) \
  X(OldLace, OLDLACE, 0xfdf5e6) X(Olive, OLIVE, 0x808000) X(OliveDrab, OLIVEDRAB, 0x6b8e23) \
  X(Orange, ORANGE, 0xffa500) X(OrangeRed, ORANGERED, 0xff4500) X(Orchid, ORCHID, 0xda70d6) \
  X(PaleGoldenrod, PALEGOLDENROD, 0xeee8aa) X(PaleGreen, PALEGREEN, 0x98fb98) \
  X(PaleTurquoise, PALETURQUOISE, 0xafeeee) X(PaleVioletRed, PALEVIOLETRED, 0xdb7093) \
  X(PapayaWhip, PAPAYAWHIP, 0xffefd5) X(PeachPuff, PEACHPUFF, 0xffdab9) X(Peru, PERU, 0xcd853f) \
  X(Pink, PINK, 0xffc0cb) X(Plum, PLUM, 0xdda0dd) X(PowderBlue, POWDERBLUE, 0xb0e0e6) X(Purple, PURPLE, 0xa020f0) \
  X(RebeccaPurple, REBECCAPURPLE, 0x663399) X(Red, RED, 0xff0000) X(RosyBrown, ROSYBROWN, 0xbc8f8f) \
  X(RoyalBlue, ROYALBLUE, 0x4169e1) X(SaddleBrown, SADDLEBROWN, 0x8b4513) X(Salmon, SALMON, 0xfa8072) \
  X(SandyBrown, SANDYBROWN, 0xf4a460) X(SeaGreen, SEAGREEN, 0x2e8b57) X(Seashell, SEASHELL, 0xfff5ee) \
  X(Sienna, SIENNA, 0xa0522d) X(Silver, SILVER, 0xc0c0c0) X(SkyBlue, SKYBLUE, 0x87ceeb) \
  X(SlateBlue, SLATEBLUE, 0x6a5acd) X(SlateGray, SLATEGRAY, 0x708090) X(SlateGrey, SLATEGREY, 0x708090) \
  X(Snow, SNOW, 0xfffafa) X(SpringGreen, SPRINGGREEN, 0x00ff7f) X(SteelBlue, STEELBLUE, 0x4682b4) \
  X(Tan, TAN, 0xd2b48c) X(Teal, TEAL, 0x008080) X(Thistle, THISTLE, 0xd8bfd8) X(Tomato, TOMATO, 0xff6347) \
  X(Turquoise, TURQUOISE, 0x40e0d0) X(Violet, VIOLET, 0xee82ee) X(VioletRed, VIOLETRED, 0xd02090) \
  X(Wheat, WHEAT, 0xf5deb3) X(White, WHITE, 0xffffff) X(WhiteSmoke, WHITESMOKE, 0xf5f5f5) X(Yellow, YELLOW, 0xffff00) \
  X(YellowGreen, YELLOWGREEN, 0x9acd32)

// X(name, NAME, the colours name1 to name4)
#define FLAMELET_SHIM_X11_SHADES_(X) \
  X(AntiqueWhite, ANTIQUEWHITE, 0xffefdb, 0xeedfcc, 0xcdc0b0, 0x8b8378) \
  X(Aquamarine, AQUAMARINE, 0x7fffd4, 0x76eec6, 0x66cdaa, 0x458b74) \
  X(Azure, AZURE, 0xf0ffff, 0xe0eeee, 0xc1cdcd, 0x838b8b) X(Bisque, BISQUE, 0xffe4c4, 0xeed5b7, 0xcdb79e, 0x8b7d6b) \
  X(Blue, BLUE, 0x0000ff, 0x0000ee, 0x0000cd, 0x00008b) X(Brown, BROWN, 0xff4040, 0xee3b3b, 0xcd3333, 0x8b2323) \
  X(Burlywood, BURLYWOOD, 0xffd39b, 0xeec591, 0xcdaa7d, 0x8b7355) \
  X(CadetBlue, CADETBLUE, 0x98f5ff, 0x8ee5ee, 0x7ac5cd, 0x53868b) \
  X(Chartreuse, CHARTREUSE, 0x7fff00, 0x76ee00, 0x66cd00, 0x458b00) \
  X(Chocolate, CHOCOLATE, 0xff7f24, 0xee7621, 0xcd661d, 0x8b4513) \
  X(Coral, CORAL, 0xff7256, 0xee6a50, 0xcd5b45, 0x8b3e2f) \
  X(Cornsilk, CORNSILK, 0xfff8dc, 0xeee8cd, 0xcdc8b1, 0x8b8878) X(Cyan, CYAN, 0x00ffff, 0x00eeee, 0x00cdcd, 0x008b8b) \
  X(DarkGoldenrod, DARKGOLDENROD, 0xffb90f, 0xeead0e, 0xcd950c, 0x8b6508) \
  X(DarkOliveGreen, DARKOLIVEGREEN, 0xcaff70, 0xbcee68, 0xa2cd5a, 0x6e8b3d) \
  X(DarkOrange, DARKORANGE, 0xff7f00, 0xee7600, 0xcd6600, 0x8b4500) \
  X(DarkOrchid, DARKORCHID, 0xbf3eff, 0xb23aee, 0x9a32cd, 0x68228b) \
  X(DarkSeaGreen, DARKSEAGREEN, 0xc1ffc1, 0xb4eeb4, 0x9bcd9b, 0x698b69) \
  X(DarkSlateGray, DARKSLATEGRAY, 0x97ffff, 0x8deeee, 0x79cdcd, 0x528b8b) \
  X(DeepPink, DEEPPINK, 0xff1493, 0xee1289, 0xcd1076, 0x8b0a50) \
  X(DeepSkyBlue, DEEPSKYBLUE, 0x00bfff, 0x00b2ee, 0x009acd, 0x00688b) \
  X(DodgerBlue, DODGERBLUE, 0x1e90ff, 0x1c86ee, 0x1874cd, 0x104e8b) \
  X(Firebrick, FIREBRICK, 0xff3030, 0xee2c2c, 0xcd2626, 0x8b1a1a) \
  X(Gold, GOLD, 0xffd700, 0xeec900, 0xcdad00, 0x8b7500) \
  X(Goldenrod, GOLDENROD, 0xffc125, 0xeeb422, 0xcd9b1d, 0x8b6914) \
  X(Green, GREEN, 0x00ff00, 0x00ee00, 0x00cd00, 0x008b00) \
  X(Honeydew, HONEYDEW, 0xf0fff0, 0xe0eee0, 0xc1cdc1, 0x838b83) \
  X(HotPink, HOTPINK, 0xff6eb4, 0xee6aa7, 0xcd6090, 0x8b3a62) \
  X(IndianRed, INDIANRED, 0xff6a6a, 0xee6363, 0xcd5555, 0x8b3a3a) \
  X(Ivory, IVORY, 0xfffff0, 0xeeeee0, 0xcdcdc1, 0x8b8b83) X(Khaki, KHAKI, 0xfff68f, 0xeee685, 0xcdc673, 0x8b864e) \
  X(LavenderBlush, LAVENDERBLUSH, 0xfff0f5, 0xeee0e5, 0xcdc1c5, 0x8b8386) \
  X(LemonChiffon, LEMONCHIFFON, 0xfffacd, 0xeee9bf, 0xcdc9a5, 0x8b8970) \
  X(LightBlue, LIGHTBLUE, 0xbfefff, 0xb2dfee, 0x9ac0cd, 0x68838b) \
  X(LightCyan, LIGHTCYAN, 0xe0ffff, 0xd1eeee, 0xb4cdcd, 0x7a8b8b) \
  X(LightGoldenrod, LIGHTGOLDENROD, 0xffec8b, 0xeedc82, 0xcdbe70, 0x8b814c) \
  X(LightPink, LIGHTPINK, 0xffaeb9, 0xeea2ad, 0xcd8c95, 0x8b5f65) \
  X(LightSalmon, LIGHTSALMON, 0xffa07a, 0xee9572, 0xcd8162, 0x8b5742) \
  X(LightSkyBlue, LIGHTSKYBLUE, 0xb0e2ff, 0xa4d3ee, 0x8db6cd, 0x607b8b) \
  X(LightSteelBlue, LIGHTSTEELBLUE, 0xcae1ff, 0xbcd2ee, 0xa2b5cd, 0x6e7b8b) \
  X(LightYellow, LIGHTYELLOW, 0xffffe0, 0xeeeed1, 0xcdcdb4, 0x8b8b7a) \
  X(Magenta, MAGENTA, 0xff00ff, 0xee00ee, 0xcd00cd, 0x8b008b) \
  X(Maroon, MAROON, 0xff34b3, 0xee30a7, 0xcd2990, 0x8b1c62) \
  X(MediumOrchid, MEDIUMORCHID, 0xe066ff, 0xd15fee, 0xb452cd, 0x7a378b) \
  X(MediumPurple, MEDIUMPURPLE, 0xab82ff, 0x9f79ee, 0x8968cd, 0x5d478b) \
  X(MistyRose, MISTYROSE, 0xffe4e1, 0xeed5d2, 0xcdb7b5, 0x8b7d7b) \
  X(NavajoWhite, NAVAJOWHITE, 0xffdead, 0xeecfa1, 0xcdb38b, 0x8b795e) \
  X(OliveDrab, OLIVEDRAB, 0xc0ff3e, 0xb3ee3a, 0x9acd32, 0x698b22) \
  X(Orange, ORANGE, 0xffa500, 0xee9a00, 0xcd8500, 0x8b5a00) \
  X(OrangeRed, ORANGERED, 0xff4500, 0xee4000, 0xcd3700, 0x8b2500) \
  X(Orchid, ORCHID, 0xff83fa, 0xee7ae9, 0xcd69c9, 0x8b4789) \
  X(PaleGreen, PALEGREEN, 0x9aff9a, 0x90ee90, 0x7ccd7c, 0x548b54) \
  X(PaleTurquoise, PALETURQUOISE, 0xbbffff, 0xaeeeee, 0x96cdcd, 0x668b8b) \
  X(PaleVioletRed, PALEVIOLETRED, 0xff82ab, 0xee799f, 0xcd6889, 0x8b475d) \
  X(PeachPuff, PEACHPUFF, 0xffdab9, 0xeecbad, 0xcdaf95, 0x8b7765) \
  X(Pink, PINK, 0xffb5c5, 0xeea9b8, 0xcd919e, 0x8b636c) X(Plum, PLUM, 0xffbbff, 0xeeaeee, 0xcd96cd, 0x8b668b) \
  X(Purple, PURPLE, 0x9b30ff, 0x912cee, 0x7d26cd, 0x551a8b) X(Red, RED, 0xff0000, 0xee0000, 0xcd0000, 0x8b0000) \
  X(RosyBrown, ROSYBROWN, 0xffc1c1, 0xeeb4b4, 0xcd9b9b, 0x8b6969) \
  X(RoyalBlue, ROYALBLUE, 0x4876ff, 0x436eee, 0x3a5fcd, 0x27408b) \
  X(Salmon, SALMON, 0xff8c69, 0xee8262, 0xcd7054, 0x8b4c39) \
  X(SeaGreen, SEAGREEN, 0x54ff9f, 0x4eee94, 0x43cd80, 0x2e8b57) \
  X(Seashell, SEASHELL, 0xfff5ee, 0xeee5de, 0xcdc5bf, 0x8b8682) \
  X(Sienna, SIENNA, 0xff8247, 0xee7942, 0xcd6839, 0x8b4726) \
  X(SkyBlue, SKYBLUE, 0x87ceff, 0x7ec0ee, 0x6ca6cd, 0x4a708b) \
  X(SlateBlue, SLATEBLUE, 0x836fff, 0x7a67ee, 0x6959cd, 0x473c8b) \
  X(SlateGray, SLATEGRAY, 0xc6e2ff, 0xb9d3ee, 0x9fb6cd, 0x6c7b8b) \
  X(Snow, SNOW, 0xfffafa, 0xeee9e9, 0xcdc9c9, 0x8b8989) \
  X(SpringGreen, SPRINGGREEN, 0x00ff7f, 0x00ee76, 0x00cd66, 0x008b45) \
  X(SteelBlue, STEELBLUE, 0x63b8ff, 0x5cacee, 0x4f94cd, 0x36648b) X(Tan, TAN, 0xffa54f, 0xee9a49, 0xcd853f, 0x8b5a2b) \
  X(Thistle, THISTLE, 0xffe1ff, 0xeed2ee, 0xcdb5cd, 0x8b7b8b) \
  X(Tomato, TOMATO, 0xff6347, 0xee5c42, 0xcd4f39, 0x8b3626) \
  X(Turquoise, TURQUOISE, 0x00f5ff, 0x00e5ee, 0x00c5cd, 0x00868b) \
  X(VioletRed, VIOLETRED, 0xff3e96, 0xee3a8c, 0xcd3278, 0x8b2252) \
  X(Wheat, WHEAT, 0xffe7ba, 0xeed8ae, 0xcdba96, 0x8b7e66) X(Yellow, YELLOW, 0xffff00, 0xeeee00, 0xcdcd00, 0x8b8b00)

// X(number of a grey, its 0xRR, which is its green and blue, too)
#define FLAMELET_SHIM_X11_GREYS_(X) \
  X(0, 0x00) X(1, 0x03) X(2, 0x05) X(3, 0x08) X(4, 0x0a) X(5, 0x0d) X(6, 0x0f) X(7, 0x12) X(8, 0x14) X(9, 0x17) \
  X(10, 0x1a) X(11, 0x1c) X(12, 0x1f) X(13, 0x21) X(14, 0x24) X(15, 0x26) X(16, 0x29) X(17, 0x2b) X(18, 0x2e) \
  X(19, 0x30) X(20, 0x33) X(21, 0x36) X(22, 0x38) X(23, 0x3b) X(24, 0x3d) X(25, 0x40) X(26, 0x42) X(27, 0x45) \
  X(28, 0x47) X(29, 0x4a) X(30, 0x4d) X(31, 0x4f) X(32, 0x52) X(33, 0x54) X(34, 0x57) X(35, 0x59) X(36, 0x5c) \
  X(37, 0x5e) X(38, 0x61) X(39, 0x63) X(40, 0x66) X(41, 0x69) X(42, 0x6b) X(43, 0x6e) X(44, 0x70) X(45, 0x73) \
  X(46, 0x75) X(47, 0x78) X(48, 0x7a) X(49, 0x7d) X(50, 0x7f) X(51, 0x82) X(52, 0x85) X(53, 0x87) X(54, 0x8a) \
  X(55, 0x8c) X(56, 0x8f) X(57, 0x91) X(58, 0x94) X(59, 0x96) X(60, 0x99) X(61, 0x9c) X(62, 0x9e) X(63, 0xa1) \
  X(64, 0xa3) X(65, 0xa6) X(66, 0xa8) X(67, 0xab) X(68, 0xad) X(69, 0xb0) X(70, 0xb3) X(71, 0xb5) X(72, 0xb8) \
  X(73, 0xba) X(74, 0xbd) X(75, 0xbf) X(76, 0xc2) X(77, 0xc4) X(78, 0xc7) X(79, 0xc9) X(80, 0xcc) X(81, 0xcf) \
  X(82, 0xd1) X(83, 0xd4) X(84, 0xd6) X(85, 0xd9) X(86, 0xdb) X(87, 0xde) X(88, 0xe0) X(89, 0xe3) X(90, 0xe5) \
  X(91, 0xe8) X(92, 0xeb) X(93, 0xed) X(94, 0xf0) X(95, 0xf2) X(96, 0xf5) X(97, 0xf7) X(98, 0xfa) X(99, 0xfc) \
  X(100, 0xff)
// clang-format on

#endif  // FLAMELET_SHIM_X11_COLORS_H
