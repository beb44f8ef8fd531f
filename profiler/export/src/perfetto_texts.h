// SPDX-License-Identifier: MIT
//
// perfetto_texts.h: what events of a Perfetto trace say beside their time: names, categories, source locations and debug
// annotations. Each text is told to a sequence once, in a packet before the first event that uses it.
#ifndef FLAMELET_EXPORT_SRC_PERFETTO_TEXTS_H
#define FLAMELET_EXPORT_SRC_PERFETTO_TEXTS_H

#include <cstdio>

#include "exporter.h"
#include "perfetto_packets.h"

namespace flamelet::formats::perfetto {

class EventTexts {
 public:
  EventTexts(Export& job, Packets& packets) : job_(job), packets_(packets) {}

  void start_sequence(uint32_t sequence) { sequence_ = sequence; }

  // Scopes whose texts are the same once they are UTF-8 are one: a reader has no other way to tell them apart.
  uint32_t scope_number(uint32_t site, uint32_t name) {
    bool added;
    const uint32_t number = numbers_.number(site, name, &added);
    if (added) {
      Scope scope = make_scope(site, name);
      const auto [at, is_new] = same_.try_emplace(scope.fields, static_cast<uint32_t>(scopes_.size()));
      if (is_new) scopes_.push_back(std::move(scope));
      by_number_.push_back(at->second);
    }
    return by_number_[number];
  }

  // The fields that all events of a scope share.
  const std::string& fields(uint32_t site, uint32_t name) {
    Scope& scope = scopes_[scope_number(site, name)];
    if (scope.told_to != sequence_) tell(&scope);
    return scope.fields;
  }
  std::string name_alone(const char* name) {
    Scope scope;
    scope.name = names_.text(name);
    tell(&scope);
    protozero::pbf_writer(scope.fields).add_uint64(event::kNameId, scope.name);
    return scope.fields;
  }

  // Each adds one debug annotation to an event's fields.
  void annotate(const char* name, std::string_view text, std::string* fields) {
    annotate_string(name, strings_.text(text), fields);
  }
  void annotate(const char* name, uint64_t value, std::string* fields) {
    std::string annotation;
    protozero::pbf_writer writer(annotation);
    writer.add_uint64(annotation::kNameId, tell_annotation(name, 0));
    writer.add_uint64(annotation::kUint, value);
    protozero::pbf_writer(*fields).add_message(event::kAnnotation, annotation);
  }
  void annotate_object(uint32_t string, std::string* fields) {
    if (job_.string(string).size == 0) return;
    const auto [at, added] = objects_.try_emplace(string, 0);
    if (added) at->second = strings_.text(whole(job_.string(string)));
    annotate_string(annotation_name::kObject, at->second, fields);
  }
  template <size_t N>
  void annotate_flags(const Flag (&flags)[N], uint32_t bits, std::string* fields) {
    if (bits == 0) return;
    std::string words;
    for (const Flag& flag : flags)
      if ((bits & flag.bit) != 0) words += (words.empty() ? "" : ", ") + std::string(flag.word);
    if (!words.empty()) annotate(annotation_name::kFlags, words, fields);
  }

  std::string whole(flamelet_string text) {
    std::string to;
    job_.count_text(append_utf8(view(text), &to));
    return to;
  }

 private:
  struct Scope {
    std::string fields;
    // The numbers in it, which a sequence has to know.
    uint32_t name = 0, category = 0, location = 0, own_name = 0, color = 0;
    uint32_t told_to = 0;  // the last sequence that does
  };

  Scope make_scope(uint32_t site, uint32_t name) {
    flamelet_site_info info;
    const bool is_known = flamelet_capture_site(job_.capture, site, &info);
    const std::string shown = whole(name != 0 || is_known ? job_.string(name) : info.name), own = whole(info.name),
                      category = whole(info.category);
    std::string location;
    protozero::pbf_writer location_writer(location);
    if (info.file.size != 0) location_writer.add_string(source_location::kFile, whole(info.file));
    if (info.function.size != 0) location_writer.add_string(source_location::kFunction, whole(info.function));
    if (info.line != 0) location_writer.add_uint32(source_location::kLine, info.line);

    Scope scope;
    protozero::pbf_writer writer(scope.fields);
    if (!category.empty()) writer.add_uint64(event::kCategoryId, scope.category = categories_.text(category));
    writer.add_uint64(event::kNameId, scope.name = names_.text(shown));
    if (!location.empty())
      writer.add_uint64(event::kSourceLocationId, scope.location = locations_.number(std::move(location)));
    if (own != shown) add_annotation(annotation_name::kScope, scope.own_name = strings_.text(own), &scope.fields);
    if (info.color != 0) {
      char color[16];
      snprintf(color, sizeof color, "#%06x", info.color);
      add_annotation(annotation_name::kColor, scope.color = strings_.text(color), &scope.fields);
    }
    return scope;
  }

  void tell(Scope* scope) {
    scope->told_to = sequence_;
    std::string data;
    categories_.tell(scope->category, sequence_, &data);
    names_.tell(scope->name, sequence_, &data);
    locations_.tell(scope->location, sequence_, &data);
    packets_.tell(data);
    if (scope->own_name != 0) tell_annotation(annotation_name::kScope, scope->own_name);
    if (scope->color != 0) tell_annotation(annotation_name::kColor, scope->color);
  }

  // Returns the number of the name.
  uint32_t tell_annotation(const char* name, uint32_t string) {
    const uint32_t number = annotations_.text(name);
    std::string data;
    annotations_.tell(number, sequence_, &data);
    strings_.tell(string, sequence_, &data);
    packets_.tell(data);
    return number;
  }
  void annotate_string(const char* name, uint32_t string, std::string* fields) {
    tell_annotation(name, string);
    add_annotation(name, string, fields);
  }
  void add_annotation(const char* name, uint32_t string, std::string* fields) {
    std::string annotation;
    protozero::pbf_writer writer(annotation);
    writer.add_uint64(annotation::kNameId, annotations_.text(name));
    writer.add_uint64(annotation::kStringId, string);
    protozero::pbf_writer(*fields).add_message(event::kAnnotation, annotation);
  }

  Export& job_;
  Packets& packets_;
  uint32_t sequence_ = 0;
  ScopeNumbers numbers_;
  std::vector<uint32_t> by_number_;                 // in scopes_
  std::unordered_map<std::string, uint32_t> same_;  // in scopes_, by fields
  std::vector<Scope> scopes_;
  std::unordered_map<uint32_t, uint32_t> objects_;  // by string
  InternTable categories_{interned::kCategory};
  InternTable names_{interned::kEventName};
  InternTable locations_{interned::kSourceLocation};
  InternTable annotations_{interned::kAnnotationName};
  InternTable strings_{interned::kAnnotationString};
};

}  // namespace flamelet::formats::perfetto

#endif  // FLAMELET_EXPORT_SRC_PERFETTO_TEXTS_H
