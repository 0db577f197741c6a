"""Turns pages that are readable on a code host into articles that DocC compiles.

Pages link to each other and to other files by relative paths, as a code host needs it. The articles
link to each other by DocC's own links, and to all other files by the addresses of the code host.
No line is added before the end of a page, so that DocC reports problems at the lines of the page.
"""

import glob
import os
import re
import shutil
import urllib.parse

import pages

HOST = "https://github.com/swift-section-registry/swift-section-registry"
ROOT = "swift-section-registry"
GUIDES = "Documentation"
INDEX = f"{GUIDES}/README.md"
FRONT = f"{GUIDES}/Site/{ROOT}.md"
# A code span, or a link or image. The text of a link can contain code spans.
SPAN_OR_LINK = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)|(!?)\[((?:`[^`]*`|[^\]`])*)\]\(([^)\s]+)\)", re.DOTALL)


class Page:
    """A page, with the archive of its article and the anchors of its headings."""

    def __init__(self, path, archive, products):
        self.path, self.archive = path, archive
        self.text = pages.read(path)
        self.name = os.path.basename(path).removesuffix(".md")
        # DocC would take a link to a product for one to the guide of the same name.
        if archive == ROOT and self.name in products:
            self.name += "Guide"
        headings = re.findall(r"^#+ +(.*)$", pages.prose(path), re.MULTILINE)
        self.title = headings[0]
        # The anchors on the code host, and those in the article.
        self.anchors, counts = {}, {}
        for heading in headings[1:]:
            slug = re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")
            count = counts[slug] = counts.get(slug, -1) + 1
            self.anchors[f"{slug}-{count}" if count else slug] = fragment(heading)

    @property
    def link(self):
        """The article's address from any archive."""
        if self.name == self.archive:
            return f"doc:/documentation/{self.archive}"
        return f"doc:/documentation/{self.archive}/{self.name}"


def fragment(heading):
    """Returns the fragment that DocC derives from a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    text = "-".join(part for part in re.split(r"[\s\-–—]+", text.strip()) if part)
    return urllib.parse.quote(re.sub(r"['\"‘’“”`]", "", text), safe="!$&()*+,;=:@/?-._~")


class Articles:
    """The articles of all pages of the site."""

    def __init__(self, products):
        guides = sorted(set(glob.glob(f"{GUIDES}/*.md")) - {INDEX})
        found = [Page(path, ROOT, products) for path in [FRONT, *guides]]
        for product in products:
            paths = sorted(glob.glob(f"Sources/{product}/{product}.docc/*.md"))
            found += [Page(path, product, products) for path in paths]
        self.by_path = {page.path: page for page in found}

    def write_catalog(self, archive, work):
        """Writes the catalog of an archive, and returns its path."""
        catalog = f"{work}/{archive}.docc"
        shutil.rmtree(catalog, ignore_errors=True)
        os.makedirs(catalog)
        for page in self.by_path.values():
            if page.archive != archive:
                continue
            text = self.article(page)
            if page.path == FRONT:
                # As in the index, guides come first.
                text = text.replace("### Products\n", f"{self.topics()}\n### Products\n")
                text += "\n@Metadata {\n  @TechnologyRoot\n}\n"
            with open(f"{catalog}/{page.name}.md", "w", encoding="utf-8") as file:
                file.write(text)
        for path in glob.glob(f"{GUIDES}/*.svg") if archive == ROOT else []:
            # DocC's name for the variant that it shows in dark mode.
            shutil.copy(path, f"{catalog}/{os.path.basename(path).replace('-dark.svg', '~dark.svg')}")
        return catalog

    def article(self, page):
        """Returns the article of a page."""
        return "".join(
            self.prose(page, part) if isinstance(part, str) else f"```{part.language}\n{part.text}```\n"
            for part in pages.parts(page.path))

    def prose(self, page, text):
        text = SPAN_OR_LINK.sub(lambda match: self.convert(page, match), text)
        # DocC shows the backticks of code in a heading. Two of them make a link to a symbol.
        text = re.sub(
            r"^#.*$", lambda match: re.sub("(?<!`)`([^`]+)`(?!`)", r"\1", match[0]), text, flags=re.MULTILINE)
        # An item of a topic group consists of nothing but the link.
        if "## Topics" in page.text:
            text = re.sub(r"^- \[[^\]]*\]\((doc:[^)]*)\)$", r"- <\1>", text, flags=re.MULTILINE)
        return text

    def convert(self, page, match):
        """Converts a link or an image. A code span remains as it is."""
        if match[1]:
            return match[0]
        is_image, text, target = match[2], match[3], match[4]
        if re.match(r"[a-z]+:", target):
            return match[0]
        file, _, anchor = target.partition("#")
        path = os.path.normpath(os.path.join(os.path.dirname(page.path), file)) if file else page.path
        if is_image:
            if os.path.exists(path):
                return f"![{text}]({os.path.basename(path)})"
            print(f"note: {page.path}: there is no image {path}")
            return ""
        if not os.path.exists(path):
            raise SystemExit(f"error: {page.path}: there is no file {path}")
        if path == INDEX:
            path = FRONT
        linked = self.by_path.get(path)
        if not linked:
            kind = "tree" if os.path.isdir(path) else "blob"
            return f"[{text}]({HOST}/{kind}/main/{path}{'#' + anchor if anchor else ''})"
        if anchor and anchor not in linked.anchors:
            raise SystemExit(f"error: {page.path}: {linked.path} has no heading for #{anchor}")
        # The name of a file means nothing on the site.
        if text == os.path.basename(path):
            text = linked.title
        return f"[{text}]({self.address(page, linked)}{'#' + linked.anchors[anchor] if anchor else ''})"

    @staticmethod
    def address(page, linked):
        return f"doc:{linked.name}" if page.archive == linked.archive else linked.link

    def topics(self):
        """Returns the topic groups of the guides: the sections of the index, and all other guides."""
        group, groups, listed = "Guides", {}, set()
        front = self.by_path[FRONT]
        for match in re.finditer(r"^## +(.*)$|\]\((\w+\.md)\)", pages.read(INDEX), re.MULTILINE):
            if match[1]:
                group = match[1]
                continue
            page = self.by_path.get(f"{GUIDES}/{match[2]}")
            if page and page not in listed:
                groups.setdefault(group, []).append(page)
                listed.add(page)
        for page in self.by_path.values():
            if page.archive == ROOT and page not in listed and page is not front:
                groups.setdefault("More pages", []).append(page)
        text = ""
        for group, members in groups.items():
            text += f"\n### {group}\n\n" + "".join(f"- <{self.address(front, page)}>\n" for page in members)
        return text
