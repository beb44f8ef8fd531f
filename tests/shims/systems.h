// SPDX-License-Identifier: MIT
//
// systems.h: the parts of the game that the programs of Optick's and microprofile's macros play.
#ifndef FLAMELET_TESTS_SHIMS_SYSTEMS_H
#define FLAMELET_TESTS_SHIMS_SYSTEMS_H

void input_update(int frame);
void physics_update(int frame);
void animation_update(int frame);
void particles_update(int frame);
void audio_update(int frame);
void network_update(int frame);
void scripts_update(int frame);
void culling_update(int frame);
void shadows_update(int frame);
void terrain_update(int frame);
void water_update(int frame);
void sky_update(int frame);
void crowd_update(int frame);
void vehicles_update(int frame);
void weather_update(int frame);
void update_systems(int frame);

#endif  // FLAMELET_TESTS_SHIMS_SYSTEMS_H
