import CoreDataSQL
import SQLiteKit

/// Counts the points of an R-tree by the cells of a grid, from the tree's own nodes: a leaf that lies in one cell is counted
/// without its points, so that a million of them take less than a tenth of what the table takes.
///
/// The tree has numbers that are rounded outward, and 0 for missing ones: points that may be on another side of an edge, or
/// have no value, are looked up in the table.
///
/// Invariants:
/// 1. The statement of the root is open as long as nodes are read, so that all are of one state of the file.
/// 2. A child is at a lower level than its parent, so that damaged nodes end.
struct PointCounting {
    /// The most points that are looked up.
    private static let greatestLookup = 20_000
    private static let greatestDepth = 40

    let boxes: [TreeBox]
    let cell: Double
    private let isLongitudeFirst: Bool
    private let nodes: Statement
    private let row: Statement
    private(set) var cells: [GridPlace: PointCell] = [:]
    private var lookups = 0

    init(
        _ connection: Connection, _ tree: SpatialIndex, latitude: String, longitude: String, boxes: [TreeBox],
        cell: Double
    ) throws {
        (self.boxes, self.cell) = (boxes, cell)
        isLongitudeFirst = tree.columns.first == longitude
        let quoted = SQLIdentifier.quoted
        nodes = try connection.prepare("SELECT data FROM \(quoted(tree.name + "_node")) WHERE nodeno = ?")
        row = try connection.prepare(
            "SELECT \(quoted(latitude)), \(quoted(longitude)) FROM \(quoted(tree.table)) WHERE Z_PK = ?")
    }

    /// - Returns: false if the tree cannot be used: it is damaged, or too many points must be looked up.
    mutating func count(_ connection: Connection, root: Statement) throws -> Bool {
        guard try root.step(), let node = TreeNode(root.blobBytes(0)), node.depth <= Self.greatestDepth else {
            return false
        }
        let children = entries(of: node)
        guard try visit(children, level: node.depth) else { return false }
        for (place, found) in cells where found.count == 1 {
            guard let key = found.key, let exact = try exact(key) else { continue }
            cells[place] = PointCell(
                place, TreeBox(south: exact.0, north: exact.0, west: exact.1, east: exact.1), count: 1, key: key)
        }
        return true
    }

    private func entries(of node: TreeNode) -> [(Int64, TreeBox)] {
        (0..<node.count).map { (node.number($0), node.box($0, isLongitudeFirst: isLongitudeFirst)) }
    }

    private mutating func visit(_ entries: [(Int64, TreeBox)], level: Int) throws -> Bool {
        for (number, box) in entries where boxes.contains(where: { $0.overlaps(box) }) {
            guard level > 0 else {
                guard try add(number, box) else { return false }
                continue
            }
            // Children are copied, as the statement is used again for theirs.
            try nodes.bind(number, at: 1)
            guard try nodes.step(), let node = TreeNode(nodes.blobBytes(0)) else { return false }
            if level == 1, !box.hasZero, let place = GridPlace(box, cell: cell),
                boxes.contains(where: { $0.contains(box) }), node.count > 1
            {
                let key = node.number(0)
                nodes.reset()
                cells[place, default: PointCell(place, box, count: 0)].add(box, count: node.count, key: key)
                continue
            }
            let children = self.entries(of: node)
            nodes.reset()
            guard try visit(children, level: level - 1) else { return false }
        }
        return true
    }

    private mutating func add(_ key: Int64, _ box: TreeBox) throws -> Bool {
        let isWithin = boxes.contains { $0.contains(box) }
        var (place, exactBox) = (GridPlace(box, cell: cell), box)
        if place == nil || !isWithin || box.hasZero {
            lookups += 1
            guard lookups <= Self.greatestLookup else { return false }
            guard let (latitude, longitude) = try exact(key) else { return true }
            exactBox = TreeBox(south: latitude, north: latitude, west: longitude, east: longitude)
            guard boxes.contains(where: { $0.contains(exactBox) }) else { return true }
            place = GridPlace(exactBox, cell: cell)
        }
        guard let place else { return false }
        cells[place, default: PointCell(place, exactBox, count: 0)].add(exactBox, count: 1, key: key)
        return true
    }

    /// The numbers in the table; nil for a row without one of them.
    private func exact(_ key: Int64) throws -> (Double, Double)? {
        try row.bind(key, at: 1)
        defer { row.reset() }
        guard try row.step(), !row.isNull(0), !row.isNull(1) else { return nil }
        return (row.double(0), row.double(1))
    }
}

extension StoreFile {
    /// The points of all objects of an entity in boxes that do not overlap, by the cells of a grid, counted by the R-tree
    /// index of two attributes.
    ///
    /// - Parameters:
    ///   - latitude: The path of an attribute; of an element of a composite attribute `place.latitude`.
    ///   - cell: The edge of a cell in the unit of the attributes.
    /// - Returns: nil if the store has no such index that is kept, if the table has rows of other entities, and where
    ///   counting by the table is as fast.
    package func points(
        of entity: String, latitude: String, longitude: String, in boxes: [TreeBox], cell: Double
    ) throws -> [PointCell]? {
        guard cell > 0, let mapping = schema.entity(named: entity), mapping.isAloneInTable,
            !shape.findings.unknownEntityTables.contains(mapping.table),
            let first = mapping.attribute(at: latitude)?.column, let second = mapping.attribute(at: longitude)?.column,
            let tree = schema.spatialIndexes.first(where: {
                $0.isKept && $0.table == mapping.table && $0.columns.count == 2 && Set($0.columns) == [first, second]
            })
        else { return nil }
        return try reporting("be read") {
            let root = try connection.prepare(
                "SELECT data FROM \(SQLIdentifier.quoted(tree.name + "_node")) WHERE nodeno = 1 AND 1")
            var counting = try PointCounting(
                connection, tree, latitude: first, longitude: second, boxes: boxes, cell: cell)
            defer { root.reset() }
            guard try counting.count(connection, root: root) else { return nil }
            return Array(counting.cells.values)
        }
    }
}
