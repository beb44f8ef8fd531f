// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "command.h"
#include "display_text.h"

namespace flamelet::tools {

Option Option::check(std::function<std::string(const std::string&)> problem) {
  option_->check([problem = std::move(problem)](const std::string& value) { return problem(value); });
  return *this;
}

Option Option::excludes(const Option& other) {
  option_->excludes(other.option_);
  return *this;
}

Option Option::shows_default() {
  option_->capture_default_str();
  return *this;
}

Command Command::add_command(const std::string& name, const std::string& description) {
  return {app_->add_subcommand(name, description), exit_code_};
}

void Command::needs_command() {
  app_->require_subcommand(1);
}

void Command::footer(const std::string& text) {
  app_->footer(text);
}

void Command::run(std::function<int()> work) {
  app_->callback([work = std::move(work), exit_code = exit_code_] { *exit_code = work(); });
}

Option Command::positional(const std::string& name, std::string* value, const std::string& help) {
  return Option(app_->add_option(name, *value, help)->required());
}

Option Command::positionals(const std::string& name, std::vector<std::string>* values, const std::string& help) {
  return Option(app_->add_option(name, *values, help)->required()->type_name(""));
}

Option Command::flag(const std::string& names, bool* value, const std::string& help) {
  return Option(app_->add_flag(names, *value, help));
}

Option Command::text(const std::string& names, const std::string& type, std::string* value, const std::string& help) {
  return Option(app_->add_option(names, *value, help)->type_name(type));
}

Option Command::texts(const std::string& names, const std::string& type, std::vector<std::string>* values,
                      const std::string& help) {
  // Without extra arguments, or it would take a file's name for a second value.
  return Option(app_->add_option(names, *values, help)->type_name(type)->allow_extra_args(false));
}

Option Command::number(const std::string& names, const std::string& type, size_t* value, size_t least, size_t most,
                       const std::string& help) {
  return Option(app_->add_option(names, *value, help)->type_name(type)->check(CLI::Range(least, most).description("")));
}

Option Command::number(const std::string& names, const std::string& type, double* value, double least, double most,
                       const std::string& help) {
  return Option(app_->add_option(names, *value, help)->type_name(type)->check(CLI::Range(least, most).description("")));
}

Option Command::choice(const std::string& names, const std::string& type, std::string* value,
                       const std::vector<std::string>& words, const std::string& help) {
  return Option(
      app_->add_option(names, *value, help)->type_name(type)->check(CLI::IsMember(words))->capture_default_str());
}

int run_program(const ProgramText& text, int argument_count, char** arguments,
                const std::function<void(Command* program)>& add) {
  int exit_code = kExitDone;
  CLI::App app(text.description, text.name);
  app.set_version_flag("--version", text.version);
  app.require_subcommand(1);
  app.footer(text.footer);
  Command program(&app, &exit_code);
  add(&program);
  // The parser would only say that a command is missing.
  if (argument_count > 1 && arguments[1][0] != '-') {
    const auto has_name = [&](const CLI::App* command) { return command->check_name(arguments[1]); };
    if (app.get_subcommands(has_name).empty())
      throw CommandError(kExitUsage,
                         "there is no command " + printable(arguments[1]) + "; " + text.name + " --help lists them");
  }
  try {
    app.parse(argument_count, arguments);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitDone : kExitUsage;
  }
  return exit_code;
}

}  // namespace flamelet::tools
