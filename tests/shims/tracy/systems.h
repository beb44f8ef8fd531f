// SPDX-License-Identifier: MIT
#ifndef FLAMELET_TESTS_TRACY_SYSTEMS_H
#define FLAMELET_TESTS_TRACY_SYSTEMS_H

void update_input(int frame);
void update_physics(int frame);
void update_animation(int frame);
void update_particles(int frame);
void update_audio(int frame);
void update_network(int frame);
void update_scripts(int frame);
void update_culling(int frame);
void update_shadows(int frame);
void update_terrain(int frame);
void update_water(int frame);
void update_sky(int frame);
void update_systems(int frame);

#endif  // FLAMELET_TESTS_TRACY_SYSTEMS_H
