import SQLiteKit

/// Reads what is left of a database file, with no trust in any of its pointers and without SQLite.
///
/// Every page is visited at most once, every list is as long as its page allows, and every chain as long as its row says;
/// so reading ends, whatever the file holds. Nothing is written.
package final class SalvagedDatabase {
    /// A line of the schema.
    package struct SchemaItem: Sendable {
        package let type: String
        package let name: String
        package let root: Int
        package let sql: String
    }

    private let pages: SalvagedPages
    private let cells: CellReader
    private var visited: PageSet
    private var overflow: PageSet
    private var free: PageSet
    /// Pages of trees that could not be read as such.
    package private(set) var unreadablePages = 0
    /// Cells that are not rows.
    package private(set) var unreadableCells = 0

    /// Nil for what is not a regular file, or cannot be read at all.
    package init?(path: String) {
        guard let pages = SalvagedPages(path: path) else { return nil }
        self.pages = pages
        cells = CellReader(pages: pages)
        visited = PageSet(pages: pages.count)
        overflow = PageSet(pages: pages.count)
        free = PageSet(pages: pages.count)
        gatherFreePages()
    }

    package var pageCount: Int { pages.count }
    package var pageSize: Int { pages.size }

    /// The tables and indexes that the file says it has; none where its first page is gone.
    package func schema() -> [SchemaItem] {
        var items: [SchemaItem] = []
        forEachRow(root: 1) { row in
            guard row.values.count >= 5, case .text(let type)? = row.values[0], case .text(let name)? = row.values[1],
                case .integer(let root)? = row.values[3], root >= 0, root <= pages.count
            else { return }
            let sql = row.values[4]?.text ?? ""
            items.append(SchemaItem(type: type, name: name, root: Int(root), sql: sql))
        }
        return items
    }

    /// Hands out the rows of the tree below a root, as far as pages lead to each other.
    package func forEachRow(root: Int, _ body: (SalvagedRow) throws -> Void) rethrows {
        var open = [(page: root, parent: 0)]
        while let (number, parent) = open.popLast() {
            guard number > 0, number <= pages.count, isChild(number, of: parent) else { continue }
            guard visited.insert(number) else { continue }
            guard let page = pages.page(number), let head = TreePage(page, number, usable: pages.usable) else {
                unreadablePages += 1
                continue
            }
            if head.isLeaf {
                try forEachRow(in: page, head, number: number, body: body)
            } else {
                // Last first, since the last one in is the first one out.
                open += head.children(in: page).reversed().map { ($0, number) }
            }
        }
    }

    /// Whether the map of pointers does not say that another page leads to this one.
    private func isChild(_ number: Int, of parent: Int) -> Bool {
        guard parent > 0, let pointer = pages.pointer(to: number) else { return true }
        return pointer.kind == 5 && pointer.parent == parent
    }

    private func forEachRow(
        in page: PageBytes, _ head: TreePage, number: Int, body: (SalvagedRow) throws -> Void
    ) rethrows {
        for start in head.cells {
            guard let (row, used) = cells.row(at: start, in: page, number: number) else {
                unreadableCells += 1
                continue
            }
            for page in used { _ = overflow.insert(page) }
            try body(row)
        }
    }

    // MARK: Pages that no tree leads to

    /// Passes on the rows of leaves that no tree refers to, with their root according to the pointer map.
    ///
    /// To be called when all trees have been read.
    package func forEachOrphan(_ body: (_ root: Int?, SalvagedRow) throws -> Void) rethrows {
        for number in 2...max(2, pages.count) {
            guard !visited.contains(number), !overflow.contains(number), !free.contains(number) else { continue }
            let pointer = pages.pointer(to: number)
            guard pointer.map({ $0.kind == 1 || $0.kind == 5 }) ?? true, let page = pages.page(number),
                let head = TreePage(page, number, usable: pages.usable)
            else {
                if pointer?.kind == 5, !isOfIndex(number) { unreadablePages += 1 }
                continue
            }
            guard head.isLeaf, visited.insert(number) else { continue }
            let root = root(above: number)
            try forEachRow(in: page, head, number: number) { try body(root, $0) }
        }
    }

    /// Whether a page is one of an index, which holds nothing that the tables have not.
    private func isOfIndex(_ number: Int) -> Bool { [0x02, 0x0A].contains(pages.page(number)?.byte(0)) }

    /// The root to which the map of pointers leads up.
    private func root(above page: Int) -> Int? {
        var number = page
        // No tree is deeper, as each level has many times the pages of the one above.
        for _ in 0..<20 {
            guard let pointer = pages.pointer(to: number) else { return nil }
            if pointer.kind == 1 { return number }
            guard pointer.kind == 5 else { return nil }
            number = pointer.parent
        }
        return nil
    }

    private func gatherFreePages() {
        guard let header = pages.page(1), header.bytes.starts(with: Array("SQLite format 3".utf8)),
            var trunk = header.word(32).map(Int.init)
        else { return }
        while trunk > 1, trunk <= pages.count, free.insert(trunk), let page = pages.page(trunk),
            let count = page.word(4), Int(count) <= pages.usable / 4 - 2
        {
            for entry in 0..<Int(count) {
                if let leaf = page.word(8 + entry * 4), pages.pointer(to: Int(leaf)).map({ $0.kind == 2 }) ?? true {
                    _ = free.insert(Int(leaf))
                }
            }
            trunk = Int(page.word(0) ?? 0)
        }
    }
}

/// The header of a page of a table's tree.
struct TreePage {
    let isLeaf: Bool
    /// Where the cells begin.
    let cells: [Int]
    private let last: Int?

    /// Nil for a page of another kind, and for one whose header cannot be right.
    init?(_ page: PageBytes, _ number: Int, usable: Int) {
        let start = number == 1 ? 100 : 0
        guard let kind = page.byte(start), kind == 0x0D || kind == 0x05, let count = page.short(start + 3) else {
            return nil
        }
        isLeaf = kind == 0x0D
        let list = start + (isLeaf ? 8 : 12)
        guard list + 2 * count <= usable else { return nil }
        let end = list + 2 * count
        let places = (0..<count).compactMap { page.short(list + 2 * $0) }.filter { $0 >= end && $0 < usable }
        // Of a page that something else was written over next to nothing is left.
        guard places.count * 2 >= count else { return nil }
        cells = places
        last = isLeaf ? nil : page.word(start + 8).map(Int.init)
    }

    /// The pages below, in order.
    func children(in page: PageBytes) -> [Int] {
        cells.compactMap { page.word($0).map(Int.init) } + (last.map { [$0] } ?? [])
    }
}
