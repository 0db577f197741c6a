// Exports Swift classes from C, Objective-C, and C++, and contributes C functions and constants.
// The macros for modules and services write the same records as Swift's `@ExportModule` and
// `@ExportService`, but without an accessor: the class is looked up by name at first use.
//
//     #include "registry_export.h"
//
//     REGISTRY_EXPORT_MODULE(Shop.LegacyModule)
//     REGISTRY_EXPORT_MODULE(Shop.CartModule, level(basic), priority(10),
//                            after(Account.AccountModule))
//     REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
//     REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.FakeClock, scope(shared), named(fake),
//                             priority(-5))
//
// Use the macros at file scope in C99 or later, C++11 or later, or Objective-C, with clang or gcc.
// You can use them repeatedly, even on one line and in your own macros. A semicolon is optional,
// and in C, `-Wpedantic` warns that it's an empty declaration.
//
// Write names without quotes. They are macro-expanded like the arguments of any macro. Text with
// quotes or backslashes, which JSON would have to escape, does not compile, nor does an option that
// is not listed here. Write each option once, because readers reject a record that repeats one. The
// file must be UTF-8. In C++ and Objective-C++, clang accepts only characters that are valid in
// code, so no emoji.
//
// Options of a module:
// - level(basic) or level(normal)
// - priority(integer)
// - after(up to eight modules)
// - activation(atLaunch) or activation(onFirstEvent)
// - initialization(inStart) or initialization(inNextTurn)
// - replaysMissedPhases(yes) or replaysMissedPhases(no)
// - group(text)
//
// Options of a service:
// - scope(transient), scope(shared), scope(weak), or scope(cached(text))
// - named(text)
// - priority(integer)
// - separateInstance(yes) or separateInstance(no)
// - replaces(Module.Class)
// - when(debug), when(release), when(preview), when(test), or when(flag(text))
// - group(text)
//
// Use this macro to state which services code needs:
//
//     REGISTRY_NEEDS_SERVICE(ShopAPI.Clock)
//     REGISTRY_NEEDS_SERVICE(ShopAPI.Coupons, named(spring), optional(yes))
//
// Options of a need:
// - named(text)
// - optional(yes) or optional(no)
// - group(text)
//
// C code can contribute addresses of functions and constants to contribution points in Swift code.
// The arguments are the point's identifier, the name of a pointer type, and a constant expression
// of that type:
//
//     typedef int (*filter_function)(int);
//     REGISTRY_CONTRIBUTE(editor.filters, filter_function, sepia, priority(5))
//
// The compiler checks that the address has that type. In Swift, the point declares the same type:
//
//     extension ContributionPoint<[@convention(c) @Sendable (CInt) -> CInt]> {
//       static var filters: Self { .init("editor.filters", cType: "filter_function") }
//     }
//
// gcc's assembler warns about the section's flags, because the record contains an address. The
// warning is harmless.
//
// Options of a contribution:
// - priority(integer)
// - key(text), for a keyed point
// - group(text)
//
// Only managers that read a group find the group's records.

#ifndef REGISTRY_EXPORT_H
#define REGISTRY_EXPORT_H

#include "registry_record.h"

/// Exports a class as a module by its Swift name, `Module.Class`. Options can follow.
#define REGISTRY_EXPORT_MODULE(...) REGISTRY_MODULE_(__VA_ARGS__, ~)

/// Exports a class as an implementation of a service. The arguments are the Swift names of the
/// protocol and the class. Options can follow.
#define REGISTRY_EXPORT_SERVICE(...)                                                                         \
  REGISTRY_JOIN_(REGISTRY_SERVICE_,                                                                          \
                 REGISTRY_TENTH_(__VA_ARGS__, AS_, AS_, AS_, AS_, AS_, AS_, AS_, AS_, FEW_, ~))(__VA_ARGS__, ~)

/// States that code needs a service, by the protocol's Swift name:
/// `REGISTRY_NEEDS_SERVICE(ShopAPI.Clock)`. Options can follow.
#define REGISTRY_NEEDS_SERVICE(...)                                                                          \
  REGISTRY_JOIN_(REGISTRY_NEED_,                                                                             \
                 REGISTRY_TENTH_(__VA_ARGS__, MANY_, MANY_, MANY_, MANY_, MANY_, AS_, AS_, AS_, AS_, ~))(__VA_ARGS__, ~)

/// Contributes an address to a contribution point: `REGISTRY_CONTRIBUTE(editor.filters,
/// filter_function, sepia)`. Options can follow.
#define REGISTRY_CONTRIBUTE(...)                                                                             \
  REGISTRY_JOIN_(REGISTRY_CONTRIBUTION_,                                                                     \
                 REGISTRY_TENTH_(__VA_ARGS__, MANY_, MANY_, MANY_, AS_, AS_, AS_, AS_, FEW_, FEW_, ~))(__VA_ARGS__, ~)

// Other compilers have other attributes.
#if !defined(__GNUC__) && !defined(__clang__)
#error "records need clang (such as clang-cl) or gcc; with this compiler, call 'register' in Swift instead"
#endif

// The attributes keep the compiler and the linker (--gc-sections, -dead_strip) from removing
// records, which no code uses.
#if defined(__MACH__)
#define REGISTRY_SECTION_(name) __attribute__((section("__DATA," name ",regular,no_dead_strip"), used))
#elif defined(__ELF__)
#define REGISTRY_SECTION_(name) __attribute__((section(".note.registry"), used)) REGISTRY_RETAIN_
#elif defined(_WIN32)
// COFF linkers keep sections that aren't COMDATs, except GNU ld with --gc-sections. Section names
// in images have at most eight bytes.
#define REGISTRY_SECTION_(name) __attribute__((section(".swreg"), used))
#elif defined(__wasm__)
// The linker defines symbols for the bounds of a segment if the segment's name is a C identifier.
#define REGISTRY_SECTION_(name) __attribute__((section("registry_records"), used)) REGISTRY_RETAIN_
#endif

#if defined(__has_attribute)
#if __has_attribute(retain)
#define REGISTRY_RETAIN_ __attribute__((retain))
#endif
#endif
#ifndef REGISTRY_RETAIN_
#define REGISTRY_RETAIN_
#endif

// Prevents AddressSanitizer's red zones between records. Readers would skip the red zones, but the
// section would be larger.
#if defined(__clang__)
#define REGISTRY_PLAIN_ __attribute__((no_sanitize("address")))
#else
#define REGISTRY_PLAIN_
#endif

#if !defined(REGISTRY_SECTION_)
#define REGISTRY_RECORD_AS_(variable, kind, section, json_, function)                                        \
  REGISTRY_CHECK_(0, "records need Mach-O, ELF, COFF, or WebAssembly; for this target, call 'register' in Swift "\
                     "instead, such as 'ServiceManager.shared.register'")
#else
#define REGISTRY_RECORD_AS_(variable, kind, section, json_, function)                                        \
  static const struct {                                                                                      \
    registry_record record;                                                                                  \
    char json[REGISTRY_ROOM_(json_)];                                                                        \
  } variable __attribute__((aligned(8))) REGISTRY_SECTION_(section) REGISTRY_PLAIN_ = {                      \
      {REGISTRY_NAME_SIZE, sizeof(uint64_t) + REGISTRY_ROOM_(json_), kind, REGISTRY_NAME, {function}}, json_};
#endif

/// The size of a literal with its terminator, padded to a multiple of eight.
#define REGISTRY_ROOM_(literal) ((sizeof(literal) + 7) / 8 * 8)

// Unlike __LINE__, __COUNTER__ differs between two records on one line. With -Wpedantic, clang 22
// reports it as an extension.
#if defined(__clang__)
#if __has_warning("-Wc2y-extensions")
#define REGISTRY_BEGIN_COUNTER_                                                                              \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wc2y-extensions\"")
#define REGISTRY_END_COUNTER_ _Pragma("clang diagnostic pop")
#endif
#endif
#ifndef REGISTRY_END_COUNTER_
#define REGISTRY_BEGIN_COUNTER_
#define REGISTRY_END_COUNTER_
#endif
#define REGISTRY_RECORD_(kind, section, json)                                                                \
  REGISTRY_BEGIN_COUNTER_                                                                                    \
  REGISTRY_RECORD_AS_(REGISTRY_JOIN_(registry_exported_, __COUNTER__), kind, section, json, 0)               \
  REGISTRY_END_COUNTER_

/// Declares a record with options. `members` are the first members of its JSON.
#define REGISTRY_DECLARE_(kind, options, section, function, members, ...)                                    \
  REGISTRY_OPTIONS_(REGISTRY_OPTION_CHECK_, options, __VA_ARGS__)                                            \
  REGISTRY_BEGIN_COUNTER_                                                                                    \
  REGISTRY_RECORD_AS_(REGISTRY_JOIN_(registry_exported_, __COUNTER__),                                       \
                      kind REGISTRY_OPTIONS_(REGISTRY_OPTION_KIND_, options, __VA_ARGS__), section,          \
                      "{" members REGISTRY_OPTIONS_(REGISTRY_OPTION_JSON_, options, __VA_ARGS__) "}", function) \
  REGISTRY_END_COUNTER_

// MARK: Modules

#define REGISTRY_MODULE_(name, ...)                                                                          \
  REGISTRY_CHECK_CLASS_(name)                                                                                \
  REGISTRY_DECLARE_(REGISTRY_KIND_MODULE, REGISTRY_MODULE_, "__reg_modules", 0,                              \
                    "\"module\":" REGISTRY_QUOTE_(name), __VA_ARGS__)

#define REGISTRY_MODULE_OPTIONS_                                                                             \
  "a module; the options are 'level', 'priority', 'after', 'activation', 'initialization', "                 \
  "'replaysMissedPhases', and 'group', each with a value in parentheses, as in 'priority(10)'"

#define REGISTRY_MODULE_OPTION_level(value)                                                                  \
  REGISTRY_WORD_OPTION_("level", "level", #value, "'basic' or 'normal'", REGISTRY_LEVEL_##value)
#define REGISTRY_LEVEL_basic ~, "\"basic\""
#define REGISTRY_LEVEL_normal ~, "\"normal\""

#define REGISTRY_MODULE_OPTION_priority REGISTRY_PRIORITY_OPTION_

#define REGISTRY_MODULE_OPTION_after(...)                                                                    \
  ~, ",\"after\":[" REGISTRY_LIST_(REGISTRY_QUOTE_, ",", __VA_ARGS__) "]",                                   \
      REGISTRY_CHECK_COUNT_(REGISTRY_COUNT_(__VA_ARGS__)) REGISTRY_LIST_(REGISTRY_CHECK_CLASS_, , __VA_ARGS__)

#define REGISTRY_MODULE_OPTION_activation(value)                                                             \
  REGISTRY_WORD_OPTION_("activation", "activation", #value, "'atLaunch' or 'onFirstEvent'",                  \
                        REGISTRY_ACTIVATION_##value)
#define REGISTRY_ACTIVATION_atLaunch ~, "\"atLaunch\""
#define REGISTRY_ACTIVATION_onFirstEvent ~, "\"onFirstEvent\""

#define REGISTRY_MODULE_OPTION_initialization(value)                                                         \
  REGISTRY_WORD_OPTION_("initialization", "initialization", #value, "'inStart' or 'inNextTurn'",             \
                        REGISTRY_INITIALIZATION_##value)
#define REGISTRY_INITIALIZATION_inStart ~, "\"inStart\""
#define REGISTRY_INITIALIZATION_inNextTurn ~, "\"inNextTurn\""

#define REGISTRY_MODULE_OPTION_group REGISTRY_GROUP_OPTION_

#define REGISTRY_MODULE_OPTION_replaysMissedPhases(value)                                                    \
  REGISTRY_BOOLEAN_OPTION_("catchUp", "replaysMissedPhases", value)

// MARK: Services

#define REGISTRY_SERVICE_FEW_(...)                                                                           \
  REGISTRY_CHECK_(0, "expected a protocol and a class, as in '(ShopAPI.Clock, Legacy.SystemClock)'")
#define REGISTRY_SERVICE_AS_(protocol, name, ...)                                                            \
  REGISTRY_CHECK_TEXT_(protocol)                                                                             \
  REGISTRY_CHECK_CLASS_(name)                                                                                \
  REGISTRY_DECLARE_(REGISTRY_KIND_SERVICE, REGISTRY_SERVICE_, "__reg_services", 0,                           \
                    "\"protocol\":" REGISTRY_QUOTE_(protocol) ",\"class\":" REGISTRY_QUOTE_(name), __VA_ARGS__)

#define REGISTRY_SERVICE_OPTIONS_                                                                            \
  "a service; the options are 'scope', 'named', 'priority', 'separateInstance', 'replaces', 'when', and "    \
  "'group', each with a value in parentheses, as in 'scope(shared)'"

#define REGISTRY_SERVICE_OPTION_scope(value)                                                                 \
  REGISTRY_WORD_OPTION_("scope", "scope", #value, "'transient', 'shared', 'weak', or 'cached(name)'",        \
                        REGISTRY_SCOPE_##value)
#define REGISTRY_SCOPE_transient ~, "\"transient\""
#define REGISTRY_SCOPE_shared ~, "\"shared\""
#define REGISTRY_SCOPE_weak ~, "\"weak\""
#define REGISTRY_SCOPE_cached(cache) ~, "\"cached(" #cache ")\"", REGISTRY_CHECK_TEXT_(cache)

#define REGISTRY_SERVICE_OPTION_separateInstance(value)                                                      \
  REGISTRY_BOOLEAN_OPTION_("separateInstance", "separateInstance", value)

#define REGISTRY_SERVICE_OPTION_replaces(value)                                                              \
  ~, ",\"replaces\":" REGISTRY_QUOTE_(value), REGISTRY_CHECK_CLASS_(value)

#define REGISTRY_SERVICE_OPTION_when(value)                                                                  \
  REGISTRY_WORD_OPTION_("when", "condition", #value, "'debug', 'release', 'preview', 'test', or 'flag(name)'",\
                        REGISTRY_WHEN_##value)
#define REGISTRY_WHEN_debug ~, "\"debug\",\"build\":\"" REGISTRY_BUILD_ "\""
#define REGISTRY_WHEN_release ~, "\"release\",\"build\":\"" REGISTRY_BUILD_ "\""
#define REGISTRY_WHEN_preview ~, "\"preview\""
#define REGISTRY_WHEN_test ~, "\"test\""
#define REGISTRY_WHEN_flag(name) ~, "\"flag(" #name ")\"", REGISTRY_CHECK_TEXT_(name)

// SwiftPM and Xcode define DEBUG in debug builds.
#if defined(DEBUG)
#define REGISTRY_BUILD_ "debug"
#else
#define REGISTRY_BUILD_ "release"
#endif

#define REGISTRY_SERVICE_OPTION_named(value)                                                                 \
  ~, ",\"name\":" REGISTRY_QUOTE_(value), REGISTRY_CHECK_TEXT_(value)

#define REGISTRY_SERVICE_OPTION_priority REGISTRY_PRIORITY_OPTION_

#define REGISTRY_SERVICE_OPTION_group REGISTRY_GROUP_OPTION_

// MARK: Needs

#define REGISTRY_NEED_AS_(protocol, ...)                                                                     \
  REGISTRY_CHECK_NAME_(protocol)                                                                             \
  REGISTRY_DECLARE_(REGISTRY_KIND_NEED, REGISTRY_NEED_, "__reg_exports", 0,                                  \
                    "\"protocol\":" REGISTRY_QUOTE_(protocol), __VA_ARGS__)

#define REGISTRY_NEED_OPTIONS_                                                                               \
  "a need; the options are 'named', 'optional', and 'group', each with a value in parentheses, as in "                  \
  "'optional(yes)'"

#define REGISTRY_NEED_OPTION_named REGISTRY_SERVICE_OPTION_named

#define REGISTRY_NEED_OPTION_group REGISTRY_GROUP_OPTION_

#define REGISTRY_NEED_OPTION_optional(value) REGISTRY_BOOLEAN_OPTION_("optional", "optional", value)

// MARK: Contributions

#define REGISTRY_CONTRIBUTION_FEW_(...)                                                                      \
  REGISTRY_CHECK_(0, "expected a point, a type, and an address, as in '(editor.filters, filter_function, sepia)'")
#define REGISTRY_CONTRIBUTION_AS_(point, type, address, ...)                                                 \
  REGISTRY_CHECK_TEXT_(point)                                                                                \
  REGISTRY_CHECK_NAME_(type)                                                                                 \
  REGISTRY_CHECK_TEXT_(address)                                                                              \
  REGISTRY_CHECK_(sizeof(type) == sizeof(void *), "the type of a contribution must be a pointer")            \
  REGISTRY_BEGIN_COUNTER_                                                                                    \
  REGISTRY_CONTRIBUTED_(REGISTRY_JOIN_(registry_address_, __COUNTER__), type, address,                       \
                        "\"point\":" REGISTRY_QUOTE_(point) ",\"type\":" REGISTRY_QUOTE_(type)               \
                            ",\"handler\":" REGISTRY_QUOTE_(address), __VA_ARGS__)                           \
  REGISTRY_END_COUNTER_

// A contribution's accessor writes the address if no type is requested. Its body makes the compiler
// check the address's type. Other names in it could hide a name that the client passes.
#define REGISTRY_CONTRIBUTED_(accessor_, type_, address, members, ...)                                       \
  static bool accessor_(void *registry_out_, const void *registry_key_, uintptr_t registry_reserved_) {      \
    type_ registry_value_ = address;                                                                         \
    (void)registry_reserved_;                                                                                \
    if (registry_key_ != 0) return false;                                                                    \
    __builtin_memcpy(registry_out_, &registry_value_, sizeof(registry_value_));                              \
    return true;                                                                                             \
  }                                                                                                          \
  REGISTRY_DECLARE_(REGISTRY_KIND_CONTRIBUTION, REGISTRY_CONTRIBUTION_, "__reg_exports", accessor_, members, \
                    __VA_ARGS__)

#define REGISTRY_CONTRIBUTION_OPTIONS_                                                                       \
  "a contribution; the options are 'priority', 'key', and 'group', each with a value in parentheses, as in "            \
  "'priority(5)'"

#define REGISTRY_CONTRIBUTION_OPTION_priority REGISTRY_PRIORITY_OPTION_

#define REGISTRY_CONTRIBUTION_OPTION_group REGISTRY_GROUP_OPTION_

#define REGISTRY_CONTRIBUTION_OPTION_key(value)                                                              \
  ~, ",\"key\":" REGISTRY_QUOTE_(value), REGISTRY_CHECK_TEXT_(value)

// MARK: Options

// Each option is a macro that expands to several arguments: the mark `~`, its JSON as a literal,
// its checks as declarations, and, for `group`, the operation that changes the kind. An unknown
// option has no macro and stays one argument, so REGISTRY_SECOND_ selects an empty literal, and
// REGISTRY_THIRD_ selects an error. An assertion after the checks rejects text after an option.
#define REGISTRY_OPTION_JSON_(kind, option) REGISTRY_SECOND_(kind##OPTION_##option, "", ~)
#define REGISTRY_OPTION_CHECK_(kind, option)                                                                 \
  REGISTRY_THIRD_(kind##OPTION_##option, ~,                                                                  \
                  REGISTRY_CHECK_(0, "unknown option '" #option "' of " kind##OPTIONS_), ~)                  \
  REGISTRY_CHECK_(1, "")

// The option 'group' makes the first letter of a record's kind uppercase.
#define REGISTRY_OPTION_KIND_(kind, option) REGISTRY_FOURTH_(kind##OPTION_##option, , , , ~)

#define REGISTRY_GROUP_OPTION_(value)                                                                        \
  ~, ",\"group\":" REGISTRY_QUOTE_(value), REGISTRY_CHECK_TEXT_(value), &~REGISTRY_UNGROUPED

#define REGISTRY_PRIORITY_OPTION_(value) ~, ",\"priority\":" #value, REGISTRY_CHECK_INTEGER_(value)

// The values are not true and false, because those names can be macros.
#define REGISTRY_BOOLEAN_OPTION_(member, option, value)                                                      \
  REGISTRY_WORD_OPTION_(member, "value of " option, #value, "'yes' or 'no'", REGISTRY_BOOLEAN_##value)
#define REGISTRY_BOOLEAN_yes ~, "true"
#define REGISTRY_BOOLEAN_no ~, "false"

/// Expands to an option whose value is one of a few words. Each word is a macro that expands to the
/// mark, the word's JSON, and any checks.
#define REGISTRY_WORD_OPTION_(member, subject, value, words, ...)                                            \
  ~, ",\"" member "\":" REGISTRY_WORD_(__VA_ARGS__),                                                         \
      REGISTRY_CHECK_(sizeof(REGISTRY_WORD_(__VA_ARGS__)) > 1,                                               \
                      "unknown " subject " '" value "'; expected " words) REGISTRY_THIRD_(__VA_ARGS__, , , ~)
#define REGISTRY_WORD_(...) REGISTRY_SECOND_(__VA_ARGS__, "", ~)

/// Expands to the second argument after expansion. If the first argument is a macro that expands to
/// several arguments, such as `~, 1`, the result is the second of these. Otherwise, the result is
/// the default that follows the name.
#define REGISTRY_SECOND_(...) REGISTRY_SECOND_OF_(__VA_ARGS__)
#define REGISTRY_SECOND_OF_(first, second, ...) second
#define REGISTRY_THIRD_(...) REGISTRY_THIRD_OF_(__VA_ARGS__)
#define REGISTRY_THIRD_OF_(first, second, third, ...) third
#define REGISTRY_FOURTH_(...) REGISTRY_FOURTH_OF_(__VA_ARGS__)
#define REGISTRY_FOURTH_OF_(first, second, third, fourth, ...) fourth

// MARK: Text

/// Expands to a literal that contains a JSON string. The text becomes a literal, and then that
/// literal's spelling, with its quotes, becomes another literal.
#define REGISTRY_QUOTE_(...) REGISTRY_SPELLING_(#__VA_ARGS__)
#define REGISTRY_SPELLING_(literal) #literal

#if defined(__cplusplus)
#define REGISTRY_CHECK_(condition, text) static_assert(condition, text);
#else
// Use `__extension__`, because C99 has no static assertions, and ISO C does not accept a literal's
// characters in a constant expression. clang and gcc accept both. In strict C99, glibc defines
// `_Static_assert` as a macro that drops the text.
#undef _Static_assert
#define REGISTRY_CHECK_(condition, text) __extension__ _Static_assert(condition, text);
#endif

#define REGISTRY_LACKS_(literal, character) (__builtin_strchr(literal, character) == 0)

/// Rejects text that JSON would have to escape. Quotes and escapes have backslashes in the
/// spelling.
#define REGISTRY_CHECK_TEXT_(...)                                                                            \
  REGISTRY_CHECK_(sizeof(#__VA_ARGS__) > 1, "expected a name")                                               \
  REGISTRY_CHECK_(REGISTRY_LACKS_(REGISTRY_QUOTE_(__VA_ARGS__), '\\'),                                       \
                  "invalid name; write it without quotes, backslashes, and escapes: 'Shop.CartModule'")

#define REGISTRY_CHECK_NAME_(name)                                                                           \
  REGISTRY_CHECK_TEXT_(name)                                                                                 \
  REGISTRY_CHECK_(REGISTRY_LACKS_(#name, ' '),                                                               \
                  "the name contains a space; separate names and options with commas, and name a type "      \
                  "with 'typedef'")                                                                          \
  REGISTRY_CHECK_(__builtin_memcmp(#name, "0", 1) < 0 || __builtin_memcmp(#name, "9", 1) > 0,                \
                  "the name begins with a digit; part of it may be a macro, such as 'linux' in GNU modes")

// A class's name must not contain colons, but in C++, a contribution's type can.
#define REGISTRY_CHECK_CLASS_(name)                                                                          \
  REGISTRY_CHECK_NAME_(name)                                                                                 \
  REGISTRY_CHECK_(REGISTRY_LACKS_(#name, ':'), "write a period after the module, as in 'Shop.CartModule'")

/// JSON does not allow `0x10`, `010`, `10u`, `+5`, or `1 + 1`. A number is plain and decimal if it
/// has as many digits as its value, and pasting a zero to its end multiplies its value by ten. The
/// first check rejects words, which pasting would turn into unknown names.
#define REGISTRY_CHECK_INTEGER_(value)                                                                       \
  REGISTRY_CHECK_(__builtin_memcmp(#value, "+", 1) >= 0 && __builtin_memcmp(#value, "9", 1) <= 0,            \
                  REGISTRY_PLAIN_NUMBER_)                                                                    \
  REGISTRY_CHECK_((value) > -1000000000 && (value) < 1000000000 && (value##0) / 10 == (value) &&             \
                      (value##0) % 10 == 0 && sizeof(#value) == REGISTRY_DIGITS_(value) + 1,                 \
                  REGISTRY_PLAIN_NUMBER_)
#define REGISTRY_PLAIN_NUMBER_ "the priority must be a plain decimal number between -999999999 and 999999999"
#define REGISTRY_DIGITS_(value)                                                                              \
  ((value) < 0 ? 1u + REGISTRY_DIGITS_OF_(-(value)) : REGISTRY_DIGITS_OF_(value))
#define REGISTRY_DIGITS_OF_(value)                                                                           \
  (1u + ((value) > 9) + ((value) > 99) + ((value) > 999) + ((value) > 9999) + ((value) > 99999) +            \
   ((value) > 999999) + ((value) > 9999999) + ((value) > 99999999))

// MARK: Lists

#define REGISTRY_JOIN_(a, b) REGISTRY_JOINED_(a, b)
#define REGISTRY_JOINED_(a, b) a##b

#define REGISTRY_COUNT_(...) REGISTRY_NINTH_(__VA_ARGS__, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define REGISTRY_NINTH_(a, b, c, d, e, f, g, h, count, ...) count

/// Checks the number of names. If there are more than eight, `count` is the ninth name.
#define REGISTRY_CHECK_COUNT_(count) REGISTRY_CHECK_DIGIT_(count)
#define REGISTRY_CHECK_DIGIT_(count)                                                                         \
  REGISTRY_CHECK_(__builtin_memcmp(#count, "9", 1) < 0, "expected at most eight names")

/// Expands to the tenth argument. The number of arguments before a list determines which word of
/// the list that is. No macro has the word MANY_ in its name, so too many arguments are an error.
#define REGISTRY_TENTH_(a, b, c, d, e, f, g, h, i, tenth, ...) tenth

/// Applies a macro to options. The mark `~` follows them, so that the arguments are never empty.
#define REGISTRY_OPTIONS_(use, kind, ...)                                                                    \
  REGISTRY_JOIN_(REGISTRY_OPTIONS_, REGISTRY_COUNT_(__VA_ARGS__))(use, kind, __VA_ARGS__)
#define REGISTRY_OPTIONS_1(use, kind, mark)
#define REGISTRY_OPTIONS_2(use, kind, a, ...) use(kind, a) REGISTRY_OPTIONS_1(use, kind, __VA_ARGS__)
#define REGISTRY_OPTIONS_3(use, kind, a, ...) use(kind, a) REGISTRY_OPTIONS_2(use, kind, __VA_ARGS__)
#define REGISTRY_OPTIONS_4(use, kind, a, ...) use(kind, a) REGISTRY_OPTIONS_3(use, kind, __VA_ARGS__)
#define REGISTRY_OPTIONS_5(use, kind, a, ...) use(kind, a) REGISTRY_OPTIONS_4(use, kind, __VA_ARGS__)
#define REGISTRY_OPTIONS_6(use, kind, a, ...) use(kind, a) REGISTRY_OPTIONS_5(use, kind, __VA_ARGS__)
#define REGISTRY_OPTIONS_7(use, kind, a, ...) use(kind, a) REGISTRY_OPTIONS_6(use, kind, __VA_ARGS__)
#define REGISTRY_OPTIONS_8(use, kind, a, ...) use(kind, a) REGISTRY_OPTIONS_7(use, kind, __VA_ARGS__)

/// Applies a macro to up to eight arguments, with a separator between the results. It duplicates
/// the macro above, because a macro is not expanded inside its own expansion, and an option can
/// contain a list.
#define REGISTRY_LIST_(use, separator, ...)                                                                  \
  REGISTRY_JOIN_LIST_(REGISTRY_LIST_, REGISTRY_COUNT_(__VA_ARGS__))(use, separator, __VA_ARGS__)
#define REGISTRY_JOIN_LIST_(a, b) REGISTRY_JOINED_LIST_(a, b)
#define REGISTRY_JOINED_LIST_(a, b) a##b
#define REGISTRY_LIST_1(use, separator, a) use(a)
#define REGISTRY_LIST_2(use, separator, a, ...) use(a) separator REGISTRY_LIST_1(use, separator, __VA_ARGS__)
#define REGISTRY_LIST_3(use, separator, a, ...) use(a) separator REGISTRY_LIST_2(use, separator, __VA_ARGS__)
#define REGISTRY_LIST_4(use, separator, a, ...) use(a) separator REGISTRY_LIST_3(use, separator, __VA_ARGS__)
#define REGISTRY_LIST_5(use, separator, a, ...) use(a) separator REGISTRY_LIST_4(use, separator, __VA_ARGS__)
#define REGISTRY_LIST_6(use, separator, a, ...) use(a) separator REGISTRY_LIST_5(use, separator, __VA_ARGS__)
#define REGISTRY_LIST_7(use, separator, a, ...) use(a) separator REGISTRY_LIST_6(use, separator, __VA_ARGS__)
#define REGISTRY_LIST_8(use, separator, a, ...) use(a) separator REGISTRY_LIST_7(use, separator, __VA_ARGS__)

#endif
