#include "content.h"

#include <string.h>

enum { NUMBER = sizeof(uint64_t), TAIL = PAGE - NUMBER };

/* The bytes of a page between its numbers, drawn once (splitmix64). */
static const unsigned char *drawn(void)
{
    static unsigned char page[PAGE];
    static int there;
    for (uint64_t at = 0; !there && at < PAGE; at += NUMBER) {
        uint64_t word = (at + 1) * 0x9e3779b97f4a7c15U;
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
        word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
        word ^= word >> 31;
        memcpy(page + at, &word, NUMBER);
    }
    there = 1;
    return page;
}

static uint64_t number_of(uint64_t file, uint64_t offset)
{
    return file << 48 | offset / PAGE;
}

void prepare_pages(unsigned char *memory, size_t length)
{
    for (size_t at = 0; at < length; at += PAGE) {
        memcpy(memory + at, drawn(), PAGE);
    }
}

void number_pages(unsigned char *memory, size_t length, uint64_t file, uint64_t offset)
{
    for (size_t at = 0; at < length; at += PAGE) {
        const uint64_t number = number_of(file, offset + at);
        memcpy(memory + at, &number, NUMBER);
        memcpy(memory + at + TAIL, &number, NUMBER);
    }
}

int64_t differs(const unsigned char *memory, size_t length, uint64_t file, uint64_t offset, int whole)
{
    for (size_t at = 0; at < length; at += PAGE) {
        const uint64_t number = number_of(file, offset + at);
        if (length - at < PAGE || memcmp(memory + at, &number, NUMBER) != 0 ||
            memcmp(memory + at + TAIL, &number, NUMBER) != 0 ||
            (whole && memcmp(memory + at + NUMBER, drawn() + NUMBER, TAIL - NUMBER) != 0)) {
            return (int64_t)(offset + at);
        }
    }
    return -1;
}
