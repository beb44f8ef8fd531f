// SPDX-License-Identifier: MIT
//
// properties.h: Remotery's properties: values that the program sets and adds to, all recorded at a snapshot as counters. A
// property is known from its first set, add or reset on. As in Remotery, a property is for one thread at a time.
#ifndef FLAMELET_REMOTERY_PROPERTIES_H
#define FLAMELET_REMOTERY_PROPERTIES_H

#include "macros.h"

typedef struct rmtProperty {
  rmtPropertyType type;
  rmtPropertyFlags flags;
  rmtPropertyValue value;
  rmtPropertyValue defaultValue;
  const char* name;
  const char* description;
  struct rmtProperty* parent;
  struct rmtProperty* next_known;
  flamelet_site* site;  // NULL: not known yet
} rmtProperty;

FLAMELET_EXTERN_C_BEGIN
void flamelet_remotery_know_(rmtProperty* property);
rmtError flamelet_remotery_snapshot_(void);
void flamelet_remotery_frame_reset_(void);
FLAMELET_EXTERN_C_END

FLAMELET_FORCE_INLINE_ void flamelet_remotery_changed_(rmtProperty* property) {
  if (property->site == NULL) flamelet_remotery_know_(property);
}

// ---- Definitions, at global scope. In C++ they end with a semicolon of their own, as Remotery's do; in C one that the
// ---- program has behind it would then be one too many.
#ifdef __cplusplus
#define FLAMELET_REMOTERY_VALUE_(field, value) rmtPropertyValue::Make##field(value)
#define FLAMELET_REMOTERY_END_ ;
#else
#define FLAMELET_REMOTERY_VALUE_(field, value) \
  { .field = value }
#define FLAMELET_REMOTERY_END_
#endif

// What stands behind the description is the parent, or nothing.
#define FLAMELET_REMOTERY_PROPERTY_(type, field, name, default_value, flag, desc, parent, ...) \
  rmtProperty name = {RMT_PropertyType_##type,                                                 \
                      RMT_PropertyFlags_##flag,                                                \
                      FLAMELET_REMOTERY_VALUE_(field, default_value),                          \
                      FLAMELET_REMOTERY_VALUE_(field, default_value),                          \
                      #name,                                                                   \
                      desc,                                                                    \
                      parent,                                                                  \
                      NULL,                                                                    \
                      NULL} FLAMELET_REMOTERY_END_
#define FLAMELET_REMOTERY_GROUP_(name, desc, parent, ...) \
  FLAMELET_REMOTERY_PROPERTY_(rmtGroup, Bool, name, 0, NoFlags, desc, parent, 0)
#define FLAMELET_REMOTERY_DEFINE_(type, field, ...) FLAMELET_REMOTERY_PROPERTY_(type, field, __VA_ARGS__, NULL, 0)

#define rmt_PropertyExtern(name) extern rmtProperty name FLAMELET_REMOTERY_END_

// ---- Changes ---------------------------------------------------------------------------------------------------------

#define FLAMELET_REMOTERY_SET_(field, name, set_value) \
  ((name).value.field = (set_value), flamelet_remotery_changed_(&(name)))
#define FLAMELET_REMOTERY_ADD_(field, name, add_value) \
  ((name).value.field += (add_value), flamelet_remotery_changed_(&(name)))

#define rmt_PropertyReset(name) ((name).value = (name).defaultValue, flamelet_remotery_changed_(&(name)))

#define rmt_PropertySnapshotAll() flamelet_remotery_snapshot_()
#define rmt_PropertyFrameResetAll() flamelet_remotery_frame_reset_()

// ---- Asked for -------------------------------------------------------------------------------------------------------

// Those that are known, one behind the other: the program has the groups.
typedef struct rmtPropertyIterator {
  rmtProperty* property;
} rmtPropertyIterator;

#define rmt_PropertyIterateChildren(iterator, of) ((void)(of), (void)((iterator)->property = NULL))
#define rmt_PropertyIterateNext(iterator) ((iterator)->property != NULL)
#define rmt_PropertyGetType(of) ((of)->type)
#define rmt_PropertyGetName(of) ((of)->name)
#define rmt_PropertyGetDescription(of) ((of)->description)
#define rmt_PropertyGetValue(of) ((of)->value)

#endif  // FLAMELET_REMOTERY_PROPERTIES_H
