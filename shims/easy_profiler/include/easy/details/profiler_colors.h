// SPDX-License-Identifier: MIT
//
// profiler_colors.h: the colours of easy_profiler by name: the Material palette, as 0xffRRGGBB.
#ifndef FLAMELET_EASY_PROFILER_COLORS_H
#define FLAMELET_EASY_PROFILER_COLORS_H

#include <stdint.h>

namespace profiler {

using color_t = uint32_t;

namespace colors {

using color_t = uint32_t;

#define FLAMELET_EASY_SHADE_(name, rgb) constexpr color_t name = 0xff000000u | rgb
#define FLAMELET_EASY_SHADES_(name, s50, s100, s200, s300, s400, s500, s600, s700, s800, s900) \
  FLAMELET_EASY_SHADE_(name##50, s50);                                                         \
  FLAMELET_EASY_SHADE_(name##100, s100);                                                       \
  FLAMELET_EASY_SHADE_(name##200, s200);                                                       \
  FLAMELET_EASY_SHADE_(name##300, s300);                                                       \
  FLAMELET_EASY_SHADE_(name##400, s400);                                                       \
  FLAMELET_EASY_SHADE_(name##500, s500);                                                       \
  FLAMELET_EASY_SHADE_(name##600, s600);                                                       \
  FLAMELET_EASY_SHADE_(name##700, s700);                                                       \
  FLAMELET_EASY_SHADE_(name##800, s800);                                                       \
  FLAMELET_EASY_SHADE_(name##900, s900)
#define FLAMELET_EASY_ACCENTS_(name, a100, a200, a400, a700) \
  FLAMELET_EASY_SHADE_(name##A100, a100);                    \
  FLAMELET_EASY_SHADE_(name##A200, a200);                    \
  FLAMELET_EASY_SHADE_(name##A400, a400);                    \
  FLAMELET_EASY_SHADE_(name##A700, a700)

FLAMELET_EASY_SHADES_(Red, 0xffebee, 0xffcdd2, 0xef9a9a, 0xe57373, 0xef5350, 0xf44336, 0xe53935, 0xd32f2f, 0xc62828,
                      0xb71c1c);
FLAMELET_EASY_ACCENTS_(Red, 0xff8a80, 0xff5252, 0xff1744, 0xd50000);
FLAMELET_EASY_SHADES_(Pink, 0xfce4ec, 0xf8bbd0, 0xf48fb1, 0xf06292, 0xec407a, 0xe91e63, 0xd81b60, 0xc2185b, 0xad1457,
                      0x880e4f);
FLAMELET_EASY_ACCENTS_(Pink, 0xff80ab, 0xff4081, 0xf50057, 0xc51162);
FLAMELET_EASY_SHADES_(Purple, 0xf3e5f5, 0xe1bee7, 0xce93d8, 0xba68c8, 0xab47bc, 0x9c27b0, 0x8e24aa, 0x7b1fa2, 0x6a1b9a,
                      0x4a148c);
FLAMELET_EASY_ACCENTS_(Purple, 0xea80fc, 0xe040fb, 0xd500f9, 0xaa00ff);
FLAMELET_EASY_SHADES_(DeepPurple, 0xede7f6, 0xd1c4e9, 0xb39ddb, 0x9575cd, 0x7e57c2, 0x673ab7, 0x5e35b1, 0x512da8,
                      0x4527a0, 0x311b92);
FLAMELET_EASY_ACCENTS_(DeepPurple, 0xb388ff, 0x7c4dff, 0x651fff, 0x6200ea);
FLAMELET_EASY_SHADES_(Indigo, 0xe8eaf6, 0xc5cae9, 0x9fa8da, 0x7986cb, 0x5c6bc0, 0x3f51b5, 0x3949ab, 0x303f9f, 0x283593,
                      0x1a237e);
FLAMELET_EASY_ACCENTS_(Indigo, 0x8c9eff, 0x536dfe, 0x3d5afe, 0x304ffe);
FLAMELET_EASY_SHADES_(Blue, 0xe3f2fd, 0xbbdefb, 0x90caf9, 0x64b5f6, 0x42a5f5, 0x2196f3, 0x1e88e5, 0x1976d2, 0x1565c0,
                      0x0d47a1);
FLAMELET_EASY_ACCENTS_(Blue, 0x82b1ff, 0x448aff, 0x2979ff, 0x2962ff);
FLAMELET_EASY_SHADES_(LightBlue, 0xe1f5fe, 0xb3e5fc, 0x81d4fa, 0x4fc3f7, 0x29b6f6, 0x03a9f4, 0x039be5, 0x0288d1,
                      0x0277bd, 0x01579b);
FLAMELET_EASY_ACCENTS_(LightBlue, 0x80d8ff, 0x40c4ff, 0x00b0ff, 0x0091ea);
FLAMELET_EASY_SHADES_(Cyan, 0xe0f7fa, 0xb2ebf2, 0x80deea, 0x4dd0e1, 0x26c6da, 0x00bcd4, 0x00acc1, 0x0097a7, 0x00838f,
                      0x006064);
FLAMELET_EASY_ACCENTS_(Cyan, 0x84ffff, 0x18ffff, 0x00e5ff, 0x00b8d4);
FLAMELET_EASY_SHADES_(Teal, 0xe0f2f1, 0xb2dfdb, 0x80cbc4, 0x4db6ac, 0x26a69a, 0x009688, 0x00897b, 0x00796b, 0x00695c,
                      0x004d40);
FLAMELET_EASY_ACCENTS_(Teal, 0xa7ffeb, 0x64ffda, 0x1de9b6, 0x00bfa5);
FLAMELET_EASY_SHADES_(Green, 0xe8f5e9, 0xc8e6c9, 0xa5d6a7, 0x81c784, 0x66bb6a, 0x4caf50, 0x43a047, 0x388e3c, 0x2e7d32,
                      0x1b5e20);
FLAMELET_EASY_ACCENTS_(Green, 0xb9f6ca, 0x69f0ae, 0x00e676, 0x00c853);
FLAMELET_EASY_SHADES_(LightGreen, 0xf1f8e9, 0xdcedc8, 0xc5e1a5, 0xaed581, 0x9ccc65, 0x8bc34a, 0x7cb342, 0x689f38,
                      0x558b2f, 0x33691e);
FLAMELET_EASY_ACCENTS_(LightGreen, 0xccff90, 0xb2ff59, 0x76ff03, 0x64dd17);
FLAMELET_EASY_SHADES_(Lime, 0xf9fbe7, 0xf0f4c3, 0xe6ee9c, 0xdce775, 0xd4e157, 0xcddc39, 0xc0ca33, 0xafb42b, 0x9e9d24,
                      0x827717);
FLAMELET_EASY_ACCENTS_(Lime, 0xf4ff81, 0xeeff41, 0xc6ff00, 0xaeea00);
FLAMELET_EASY_SHADES_(Yellow, 0xfffde7, 0xfff9c4, 0xfff59d, 0xfff176, 0xffee58, 0xffeb3b, 0xfdd835, 0xfbc02d, 0xf9a825,
                      0xf57f17);
FLAMELET_EASY_ACCENTS_(Yellow, 0xffff8d, 0xffff00, 0xffea00, 0xffd600);
FLAMELET_EASY_SHADES_(Amber, 0xfff8e1, 0xffecb3, 0xffe082, 0xffd54f, 0xffca28, 0xffc107, 0xffb300, 0xffa000, 0xff8f00,
                      0xff6f00);
FLAMELET_EASY_ACCENTS_(Amber, 0xffe57f, 0xffd740, 0xffc400, 0xffab00);
FLAMELET_EASY_SHADES_(Orange, 0xfff3e0, 0xffe0b2, 0xffcc80, 0xffb74d, 0xffa726, 0xff9800, 0xfb8c00, 0xf57c00, 0xef6c00,
                      0xe65100);
FLAMELET_EASY_ACCENTS_(Orange, 0xffd180, 0xffab40, 0xff9100, 0xff6d00);
FLAMELET_EASY_SHADES_(DeepOrange, 0xfbe9e7, 0xffccbc, 0xffab91, 0xff8a65, 0xff7043, 0xff5722, 0xf4511e, 0xe64a19,
                      0xd84315, 0xbf360c);
FLAMELET_EASY_ACCENTS_(DeepOrange, 0xff9e80, 0xff6e40, 0xff3d00, 0xdd2c00);
FLAMELET_EASY_SHADES_(Brown, 0xefebe9, 0xd7ccc8, 0xbcaaa4, 0xa1887f, 0x8d6e63, 0x795548, 0x6d4c41, 0x5d4037, 0x4e342e,
                      0x3e2723);
FLAMELET_EASY_SHADES_(Grey, 0xfafafa, 0xf5f5f5, 0xeeeeee, 0xe0e0e0, 0xbdbdbd, 0x9e9e9e, 0x757575, 0x616161, 0x424242,
                      0x212121);
FLAMELET_EASY_SHADES_(BlueGrey, 0xeceff1, 0xcfd8dc, 0xb0bec5, 0x90a4ae, 0x78909c, 0x607d8b, 0x546e7a, 0x455a64,
                      0x37474f, 0x263238);
#undef FLAMELET_EASY_SHADE_
#undef FLAMELET_EASY_SHADES_
#undef FLAMELET_EASY_ACCENTS_

constexpr color_t Red = Red500;
constexpr color_t DarkRed = Red900;
constexpr color_t Coral = Red200;
constexpr color_t RichRed = 0xffff0000;
constexpr color_t Pink = Pink500;
constexpr color_t Rose = PinkA100;
constexpr color_t Purple = Purple500;
constexpr color_t Magenta = PurpleA200;
constexpr color_t DarkMagenta = PurpleA700;
constexpr color_t DeepPurple = DeepPurple500;
constexpr color_t Indigo = Indigo500;
constexpr color_t Blue = Blue500;
constexpr color_t DarkBlue = Blue900;
constexpr color_t RichBlue = 0xff0000ff;
constexpr color_t LightBlue = LightBlue500;
constexpr color_t SkyBlue = LightBlueA100;
constexpr color_t Navy = LightBlue800;
constexpr color_t Cyan = Cyan500;
constexpr color_t DarkCyan = Cyan900;
constexpr color_t Teal = Teal500;
constexpr color_t DarkTeal = Teal900;
constexpr color_t Green = Green500;
constexpr color_t DarkGreen = Green900;
constexpr color_t RichGreen = 0xff00ff00;
constexpr color_t LightGreen = LightGreen500;
constexpr color_t Mint = LightGreen900;
constexpr color_t Lime = Lime500;
constexpr color_t Olive = Lime900;
constexpr color_t Yellow = Yellow500;
constexpr color_t RichYellow = YellowA200;
constexpr color_t Amber = Amber500;
constexpr color_t Gold = Amber300;
constexpr color_t PaleGold = AmberA100;
constexpr color_t Orange = Orange500;
constexpr color_t Skin = Orange100;
constexpr color_t DeepOrange = DeepOrange500;
constexpr color_t Brick = DeepOrange900;
constexpr color_t Brown = Brown500;
constexpr color_t DarkBrown = Brown900;
constexpr color_t CreamWhite = Orange50;
constexpr color_t Wheat = Amber100;
constexpr color_t Grey = Grey500;
constexpr color_t Dark = Grey900;
constexpr color_t Silver = Grey300;
constexpr color_t BlueGrey = BlueGrey500;
constexpr color_t Black = 0xff000000;
constexpr color_t White = 0xffffffff;
constexpr color_t Null = 0;  // the viewer chooses
constexpr color_t Default = 0;

}  // namespace colors
}  // namespace profiler

#endif  // FLAMELET_EASY_PROFILER_COLORS_H
