// Reads an image's file. Only mistakes that a test can make are reported: a file that is missing,
// cut off, or of another format. The linker is trusted.

#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool read_file(dyld_image *image) {
  FILE *file = fopen(image->path, "rb");
  if (!file) return dyld_fail("%s: cannot be read.", image->path);
  fseek(file, 0, SEEK_END);
  image->file_size = (size_t)ftell(file);
  rewind(file);
  image->file = malloc(image->file_size + 1);
  if (!image->file) abort();
  size_t size = fread(image->file, 1, image->file_size, file);
  fclose(file);
  return size == image->file_size || dyld_fail("%s: cannot be read whole.", image->path);
}

/// Returns a range of the file if the file is long enough.
static bool file_range(const dyld_image *image, uint64_t offset, uint64_t size, bytes *range) {
  if (offset + size > image->file_size) return dyld_fail("%s: is cut off.", image->path);
  *range = (bytes){image->file + offset, size};
  return true;
}

static bool read_segment(dyld_image *image, const struct segment_command_64 *segment) {
  bytes contents;
  if (image->segment_count == MOST_SEGMENTS) return dyld_fail("%s: has too many segments.", image->path);
  image->segments[image->segment_count++] = segment;
  return file_range(image, segment->fileoff, segment->filesize, &contents);
}

static const char *library_name(const struct load_command *command) {
  return (const char *)command + ((const struct dylib_command *)command)->dylib.name.offset;
}

static void read_dependency(dyld_image *image, const struct load_command *command) {
  const char *name = library_name(command);
  size_t size = (image->dependency_count + 1) * sizeof(dependency);
  image->dependencies = realloc(image->dependencies, size);
  if (!image->dependencies) abort();
  image->dependencies[image->dependency_count++] = (dependency){
      .name = name,
      .is_host = strncmp(name, "/usr/lib/", 9) == 0,
  };
}

static bool read_command(dyld_image *image, const struct load_command *command) {
  const struct linkedit_data_command *data = (const void *)command;
  switch (command->cmd) {
  case LC_SEGMENT_64:
    return read_segment(image, (const void *)command);
  case LC_ID_DYLIB:
    image->install_name = library_name(command);
    return true;
  case LC_LOAD_DYLIB:
  case LC_LOAD_WEAK_DYLIB:
  case LC_REEXPORT_DYLIB:
  case LC_LOAD_UPWARD_DYLIB:
  case LC_LAZY_LOAD_DYLIB:
    read_dependency(image, command);
    return true;
  case LC_DYLD_INFO_ONLY:
    return dyld_fail("%s: has fixup opcodes, as before macOS 12, which are not supported here.", image->path);
  case LC_DYLD_CHAINED_FIXUPS:
    return file_range(image, data->dataoff, data->datasize, &image->chained_fixups);
  case LC_DYLD_EXPORTS_TRIE:
    return file_range(image, data->dataoff, data->datasize, &image->exports);
  case LC_MAIN:
    image->entry = ((const struct entry_point_command *)(const void *)command)->entryoff;
    return true;
  default:
    return true;
  }
}

bool image_read(dyld_image *image) {
  bytes commands;
  if (!read_file(image)) return false;
  const struct mach_header_64 *header = image->file_header = (const void *)image->file;
  if (image->file_size < sizeof *header || header->magic != MH_MAGIC_64 || header->cputype != CPU_TYPE_X86_64) {
    return dyld_fail("%s: is not a Mach-O file for x86-64.", image->path);
  }
  if (!file_range(image, sizeof *header, header->sizeofcmds, &commands)) return false;
  for (uint32_t index = 0; index < header->ncmds; ++index) {
    const struct load_command *command = (const void *)commands.start;
    if (!read_command(image, command)) return false;
    commands.start += command->cmdsize;
  }
  return true;
}

void image_free(dyld_image *image) {
  free(image->dependencies);
  free(image->file);
  free(image->path);
  free(image);
}

const struct section_64 *image_next_section(const dyld_image *image, const struct section_64 *after) {
  bool found = !after;
  for (size_t index = 0; index < image->segment_count; ++index) {
    const struct segment_command_64 *segment = image->segments[index];
    const struct section_64 *sections = (const void *)(segment + 1);
    for (uint32_t place = 0; place < segment->nsects; ++place) {
      if (found) return &sections[place];
      found = &sections[place] == after;
    }
  }
  return NULL;
}
