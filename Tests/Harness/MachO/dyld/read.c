// Reads an image's file and checks every load command before it is used.

#define _GNU_SOURCE

#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FAT_MAGIC_BYTES_SIZE = 4 };
static const uint8_t fat_magic[FAT_MAGIC_BYTES_SIZE] = {0xca, 0xfe, 0xba, 0xbe};

static bool read_file(dyld_image *image) {
  int file = open(image->path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) {
    int reason = errno;
    if (file >= 0) close(file);
    return dyld_fail("%s: cannot be read: %s.", image->path, strerror(reason));
  }
  image->file_size = (size_t)status.st_size;
  image->file = malloc(image->file_size + 1);
  size_t done = 0;
  while (image->file && done < image->file_size) {
    ssize_t count = read(file, image->file + done, image->file_size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += (size_t)count;
  }
  close(file);
  if (!image->file || done < image->file_size) return dyld_fail("%s: cannot be read whole.", image->path);
  return true;
}

/// Returns a range of the file after checking it.
static bool file_range(const dyld_image *image, uint64_t offset, uint64_t size, const char *what, bytes *range) {
  if (offset > image->file_size || size > image->file_size - offset) {
    return dyld_fail("%s: its %s lies outside of the file, which may have been cut off.", image->path, what);
  }
  *range = (bytes){image->file + offset, (size_t)size};
  return true;
}

static bool read_header(dyld_image *image) {
  const struct mach_header_64 *header = (const void *)image->file;
  if (image->file_size >= FAT_MAGIC_BYTES_SIZE && memcmp(image->file, fat_magic, sizeof fat_magic) == 0) {
    return dyld_fail("%s: is a universal file; open the file of one architecture.", image->path);
  }
  if (image->file_size < sizeof *header || header->magic != MH_MAGIC_64) {
    return dyld_fail("%s: is not a 64-bit Mach-O file.", image->path);
  }
  if (header->cputype != CPU_TYPE_X86_64) {
    return dyld_fail("%s: is not for x86-64 but for CPU type 0x%x.", image->path, (unsigned)header->cputype);
  }
  if (header->filetype != MH_EXECUTE && header->filetype != MH_DYLIB && header->filetype != MH_BUNDLE) {
    return dyld_fail("%s: is no library, bundle or program (file type %u).", image->path, header->filetype);
  }
  bytes commands;
  if (!file_range(image, sizeof *header, header->sizeofcmds, "list of load commands", &commands)) return false;
  image->file_header = header;
  return true;
}

static bool read_segment(dyld_image *image, const struct load_command *command) {
  const struct segment_command_64 *segment = (const void *)command;
  if (command->cmdsize < sizeof *segment ||
      (command->cmdsize - sizeof *segment) / sizeof(struct section_64) < segment->nsects) {
    return dyld_fail("%s: a segment's load command is too short for its sections.", image->path);
  }
  bytes contents;
  if (!file_range(image, segment->fileoff, segment->filesize, "segment", &contents)) return false;
  if (segment->filesize > segment->vmsize || segment->vmaddr + segment->vmsize < segment->vmaddr ||
      segment->vmaddr % 4096 != 0) {
    return dyld_fail("%s: segment %.16s has an impossible address or size.", image->path, segment->segname);
  }
  if (segment->initprot & ~(PROT_READ | PROT_WRITE | PROT_EXEC)) {
    return dyld_fail("%s: segment %.16s has an unknown protection.", image->path, segment->segname);
  }
  if (segment->nsects > 0 && !(segment->initprot & PROT_READ)) {
    return dyld_fail("%s: segment %.16s has sections that cannot be read.", image->path, segment->segname);
  }
  const struct section_64 *sections = (const void *)(segment + 1);
  for (uint32_t index = 0; index < segment->nsects; ++index) {
    const struct section_64 *section = &sections[index];
    if (section->addr < segment->vmaddr || section->addr - segment->vmaddr > segment->vmsize ||
        section->size > segment->vmsize - (section->addr - segment->vmaddr)) {
      return dyld_fail("%s: section %.16s is not inside its segment.", image->path, section->sectname);
    }
  }
  if (image->segment_count == MOST_SEGMENTS) {
    return dyld_fail("%s: has more than %d segments.", image->path, MOST_SEGMENTS);
  }
  image->segments[image->segment_count++] = segment;
  return true;
}

/// Returns the name in a command that names a library, or null with a problem.
static const char *library_name(const dyld_image *image, const struct load_command *command) {
  const struct dylib_command *library = (const void *)command;
  const char *start = (const char *)command;
  if (command->cmdsize < sizeof *library || library->dylib.name.offset >= command->cmdsize ||
      !memchr(start + library->dylib.name.offset, 0, command->cmdsize - library->dylib.name.offset)) {
    (void)dyld_fail("%s: a library's name leads out of its load command.", image->path);
    return NULL;
  }
  return start + library->dylib.name.offset;
}

static bool read_dependency(dyld_image *image, const struct load_command *command) {
  const char *name = library_name(image, command);
  if (!name) return false;
  dependency *more = realloc(image->dependencies, (image->dependency_count + 1) * sizeof *more);
  if (!more) return dyld_fail("%s: no memory for its dependencies.", image->path);
  image->dependencies = more;
  more[image->dependency_count++] = (dependency){
      .name = name,
      .is_weak = command->cmd == LC_LOAD_WEAK_DYLIB,
      .is_reexported = command->cmd == LC_REEXPORT_DYLIB,
      .is_host = strncmp(name, "/usr/lib/", 9) == 0,
  };
  return true;
}

static bool read_dyld_info(dyld_image *image, const struct load_command *command) {
  const struct dyld_info_command *info = (const void *)command;
  if (command->cmdsize < sizeof *info) return dyld_fail("%s: LC_DYLD_INFO is too short.", image->path);
  if (info->weak_bind_size > 0) {
    return dyld_fail("%s: has weak definitions to be united, which are not supported here.", image->path);
  }
  return file_range(image, info->rebase_off, info->rebase_size, "list of rebases", &image->rebases) &&
         file_range(image, info->bind_off, info->bind_size, "list of binds", &image->binds) &&
         file_range(image, info->lazy_bind_off, info->lazy_bind_size, "list of lazy binds", &image->lazy_binds) &&
         file_range(image, info->export_off, info->export_size, "export trie", &image->exports);
}

static bool read_linkedit(dyld_image *image, const struct load_command *command, const char *what, bytes *range) {
  const struct linkedit_data_command *data = (const void *)command;
  if (command->cmdsize < sizeof *data) return dyld_fail("%s: a load command is too short.", image->path);
  return file_range(image, data->dataoff, data->datasize, what, range);
}

static bool read_command(dyld_image *image, const struct load_command *command) {
  switch (command->cmd) {
  case LC_SEGMENT_64:
    return read_segment(image, command);
  case LC_ID_DYLIB:
    image->install_name = library_name(image, command);
    return image->install_name != NULL;
  case LC_LOAD_DYLIB:
  case LC_LOAD_WEAK_DYLIB:
  case LC_REEXPORT_DYLIB:
  case LC_LOAD_UPWARD_DYLIB:
  case LC_LAZY_LOAD_DYLIB:
    return read_dependency(image, command);
  case LC_DYLD_INFO:
  case LC_DYLD_INFO_ONLY:
    return read_dyld_info(image, command);
  case LC_DYLD_CHAINED_FIXUPS:
    return read_linkedit(image, command, "chained fixups", &image->chained_fixups);
  case LC_DYLD_EXPORTS_TRIE:
    return read_linkedit(image, command, "export trie", &image->exports);
  case LC_MAIN:
    if (command->cmdsize < sizeof(struct entry_point_command)) {
      return dyld_fail("%s: LC_MAIN is too short.", image->path);
    }
    image->has_entry = true;
    image->entry = ((const struct entry_point_command *)(const void *)command)->entryoff;
    return true;
  default:
    return true;
  }
}

bool image_read(dyld_image *image) {
  if (!read_file(image) || !read_header(image)) return false;
  const uint8_t *start = image->file + sizeof(struct mach_header_64);
  size_t left = image->file_header->sizeofcmds;
  for (uint32_t index = 0; index < image->file_header->ncmds; ++index) {
    const struct load_command *command = (const void *)start;
    if (left < sizeof *command || command->cmdsize < sizeof *command || command->cmdsize > left ||
        command->cmdsize % 8 != 0) {
      return dyld_fail("%s: load command %u has an impossible size.", image->path, index);
    }
    if (!read_command(image, command)) return false;
    start += command->cmdsize;
    left -= command->cmdsize;
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
