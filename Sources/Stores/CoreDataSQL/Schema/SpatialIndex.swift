/// A fetch index of the type R-tree: a virtual table of SQLite's R-tree module, and the triggers that update it.
///
/// The R-tree has the rows of all entities in the table, with 32-bit numbers that are rounded outwards, and 0 for a
/// missing value, so the rows found must be compared again. Source: stores that Apple's framework wrote.
package struct SpatialIndex: Sendable, Hashable {
    package internal(set) var name: String
    package internal(set) var table: String
    package internal(set) var columns: [String]
    /// Whether the database has the virtual table.
    package internal(set) var hasTree = false
    /// Whether the database also has all triggers, so that queries can use the R-tree.
    package internal(set) var isKept = false

    /// The maximum number of dimensions that the module supports.
    static let greatestDimension = 5

    init(name: String, table: String, columns: [String]) {
        self.name = name
        self.table = table
        self.columns = columns
    }

    /// The statement that creates the empty R-tree.
    package var treeStatement: String {
        let bounds = columns.flatMap { ["\(Self.lower($0)) FLOAT", "\(Self.upper($0)) FLOAT"] }
        let list = (["Z_PK INTEGER PRIMARY KEY"] + bounds).joined(separator: ", ")
        return "CREATE VIRTUAL TABLE \(q(name)) USING RTREE (\(list))"
    }

    /// The statements that create the triggers, with the same whitespace as in Apple's stores.
    package var triggerStatements: [String] {
        let list = (["Z_PK"] + columns.flatMap { [Self.lower($0), Self.upper($0)] }).joined(separator: ", ")
        var values = "NEW.Z_PK"
        for (number, column) in columns.enumerated() {
            values += ", NEW.\(q(column))\(number == 0 ? " ," : ", ")NEW.\(q(column))"
        }
        let insertion = "INTO \(q(name)) (\(list)) VALUES (\(values)) ;"
        let removal = "DELETE FROM \(q(name)) WHERE Z_PK ="
        return [
            trigger("INSERT", "INSERT OR REPLACE \(insertion)"),
            trigger("UPDATE", "\(removal) NEW.Z_PK ; INSERT \(insertion)"), trigger("DELETE", "\(removal) OLD.Z_PK ;"),
        ]
    }

    private func trigger(_ event: String, _ body: String) -> String {
        "CREATE TRIGGER \(q("\(name)_\(event)")) AFTER \(event) ON \(q(table)) FOR EACH ROW BEGIN \(body) END"
    }

    /// The statements that create the R-tree, fill it with the existing rows, and create the triggers.
    package var creation: [String] { [treeStatement, filling] + triggerStatements }

    /// The statement that inserts the existing rows into an empty R-tree.
    package var filling: String {
        let values = (["Z_PK"] + columns.flatMap { [q($0), q($0)] }).joined(separator: ", ")
        return "INSERT INTO \(q(name)) SELECT \(values) FROM \(q(table))"
    }

    /// Returns the shadow tables in which the module stores the R-tree.
    static func shadows(of name: String) -> [String] { ["node", "parent", "rowid"].map { "\(name)_\($0)" } }

    static func lower(_ column: String) -> String { q("\(column)_MIN") }
    static func upper(_ column: String) -> String { q("\(column)_MAX") }
    private static func q(_ name: String) -> String { SQLIdentifier.quoted(name) }
    private func q(_ name: String) -> String { SQLIdentifier.quoted(name) }

    /// Returns a bound for a query of the R-tree, widened where the tree's numbers are not rounded outwards.
    static func place(of number: Double, isLower: Bool) -> Double {
        let (nearest, farthest) = (1e-36, 3e38)
        if abs(number) < nearest { return isLower ? -nearest : nearest }
        guard abs(number) > farthest, isLower == (number < 0) else { return number }
        return isLower ? -.infinity : .infinity
    }
}

extension SpatialIndex {
    /// Returns a statement without unneeded whitespace, as Apple's stores differ in whitespace; nil if it has quoted
    /// parts.
    static func plain(_ statement: String) -> String? {
        guard !statement.contains(where: { "\"'`[".contains($0) }) else { return nil }
        var text = ""
        var isApart = false
        for character in statement {
            if character.isWhitespace {
                isApart = true
                continue
            }
            let joins = ",;()".contains(character) || (text.last.map { ",;()".contains($0) } ?? true)
            if isApart, !joins { text.append(" ") }
            text.append(character)
            isApart = false
        }
        return text
    }

    /// Whether two statements differ only in whitespace.
    package static func areAlike(_ one: String, _ other: String) -> Bool {
        guard one != other else { return true }
        guard let one = plain(one), let other = plain(other) else { return false }
        return one == other
    }
}

extension SpatialIndex {
    /// Returns the index with the name and trigger state of a virtual table, or nil if the table is not its tree.
    ///
    /// Older versions of Apple's framework name trees `Z_Entity_index`, and a tree keeps its name when the index or the
    /// entity is renamed. A table with another name must therefore have the same columns and at least one of the
    /// triggers that update the tree.
    fileprivate func found(
        in table: DatabaseCatalog.VirtualTable, _ catalog: DatabaseCatalog, isOwnName: Bool
    ) -> SpatialIndex? {
        var tree = self
        if !isOwnName { tree.name = table.name }
        guard Self.areAlike(table.sql, tree.treeStatement) else { return nil }
        let present = tree.triggerStatements.filter { wanted in
            catalog.triggers.contains { Self.areAlike($0, wanted) }
        }
        guard isOwnName || !present.isEmpty else { return nil }
        tree.hasTree = true
        tree.isKept = present.count == tree.triggerStatements.count
        return tree
    }
}

extension StoreSchema {
    /// Returns the schema with the R-trees marked that the database has, each with its virtual table and triggers.
    func withTrees(_ catalog: DatabaseCatalog) -> StoreSchema {
        guard !spatialIndexes.isEmpty else { return self }
        var copy = self
        let virtual = Dictionary(
            catalog.virtualTables.map { ($0.name.uppercased(), $0) }, uniquingKeysWith: { first, _ in first })
        var taken: Set<String> = []
        // Names from the model are matched first, as two R-trees may have the same columns.
        for isOwnName in [true, false] {
            for (number, tree) in spatialIndexes.enumerated() where !copy.spatialIndexes[number].hasTree {
                let own = virtual[tree.name.uppercased()]
                let candidates = isOwnName ? [own].compactMap(\.self) : catalog.virtualTables
                guard
                    let found = candidates.lazy.filter({ !taken.contains($0.name) })
                        .compactMap({ tree.found(in: $0, catalog, isOwnName: isOwnName) }).first
                else { continue }
                taken.insert(found.name)
                copy.spatialIndexes[number] = found
            }
        }
        return copy
    }
}
