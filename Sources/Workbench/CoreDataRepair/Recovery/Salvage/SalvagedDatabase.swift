import SQLiteKit

/// Reads the rows that are left in a database file, without SQLite and without assuming that any pointer is valid.
///
/// Reading always ends: each page of a B-tree is visited at most once, a page limits its number of cells, and a row
/// limits the length of its overflow chain. Nothing is written.
package final class SalvagedDatabase {
    /// A row of the schema table (`sqlite_schema`).
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
    /// The number of pages that should belong to a table's B-tree and could not be read as such.
    package private(set) var unreadablePages = 0
    /// The number of cells of leaf pages that could not be read as rows.
    package private(set) var unreadableCells = 0

    /// Nil for a path that is not that of a regular, readable, non-empty file.
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

    /// The rows of the schema table; empty if the first page is damaged. Marks the pages of the schema table as
    /// visited.
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

    /// Calls `body` with each readable row of the B-tree at a root page. Skips pages that were visited before.
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
                // `popLast` takes the last page first, so reversing the children visits them in order.
                open += head.children(in: page).reversed().map { ($0, number) }
            }
        }
    }

    /// Whether a page can be a child of another: false if the pointer map has another parent or kind for the page.
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

    /// Calls `body` with each row of the leaf pages that have not been visited, and their root page by the pointer map.
    ///
    /// The root is nil without a usable pointer map. To be called after `forEachRow` for the roots of all tables.
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

    /// Whether a page belongs to an index, whose values are all in its table too.
    private func isOfIndex(_ number: Int) -> Bool { [0x02, 0x0A].contains(pages.page(number)?.byte(0)) }

    /// The root page of the B-tree of a page, found by following parents in the pointer map; nil if that is not
    /// possible.
    private func root(above page: Int) -> Int? {
        var number = page
        // Limits cycles. No B-tree is as deep as this, since each level has many times the pages of the level above.
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

/// The header and the cell offsets of a page of a table's B-tree.
struct TreePage {
    let isLeaf: Bool
    /// The offsets of the cells in the page.
    let cells: [Int]
    private let last: Int?

    /// Nil for a page of another kind, and for one whose header or cell offsets are invalid.
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
        // If most of the offsets are invalid, other data have overwritten the page.
        guard places.count * 2 >= count else { return nil }
        cells = places
        last = isLeaf ? nil : page.word(start + 8).map(Int.init)
    }

    /// The numbers of the child pages, in key order.
    func children(in page: PageBytes) -> [Int] {
        cells.compactMap { page.word($0).map(Int.init) } + (last.map { [$0] } ?? [])
    }
}
