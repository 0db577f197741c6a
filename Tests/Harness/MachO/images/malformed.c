// Valid records between malformed ones. ../tests/cases_records.c lists the expected problems.

#include "by_hand.h"

#define MODULE REGISTRY_KIND_MODULE
// The padding of a record's name must be zero. This name has a letter there.
#define NAME_WITH_TAIL {'R', 'e', 'g', 'i', 's', 't', 'r', 'y', 0, 0, 'x', 0}

// Ten bytes are a quarter of the space for JSON, so four times ten leave no space for a terminator.
#define DOTS '.', '.', '.', '.', '.', '.', '.', '.', '.', '.'

EXPORTED const by_hand malformed_records[] IN_SECTION("__reg_modules") = {
    BY_HAND(MODULE, 0, "{\"module\":\"Malformed.First\"}"),
    {9, 8, MODULE, "Registry", {0}, "{\"module\":\"TooShort\"}"},
    {9, 44, MODULE, "Registry", {0}, "{\"module\":\"NotByEight\"}"},
    {9, 0x7ffffff8, MODULE, "Registry", {0}, "{\"module\":\"LeadsOut\"}"},
    {9, BY_HAND_PAYLOAD, MODULE, "Registry", {0}, {DOTS, DOTS, DOTS, DOTS}},
    {9, BY_HAND_PAYLOAD, MODULE, "Registry", {0}, "{\"module\":\"Behind\"}\0and more"},
    {9, BY_HAND_PAYLOAD, MODULE, NAME_WITH_TAIL, {0}, "{\"module\":\"Tail\"}"},
    {10, BY_HAND_PAYLOAD, MODULE, "Registry2", {0}, "{\"module\":\"Later\"}"},
    {9000, BY_HAND_PAYLOAD, MODULE, "Registry", {0}, "{\"module\":\"LongName\"}"},
    BY_HAND(MODULE, 0, "{\"module\":\"Malformed.Last\"}"),
};
