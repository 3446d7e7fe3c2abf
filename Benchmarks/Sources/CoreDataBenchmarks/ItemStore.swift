import CRawBaseline
import CoreData

/// A store of objects with ten integer attributes.
struct ItemStore: Sendable {
    let url: URL
    let count: Int
    /// The attributes that have an index.
    private let indexed: Set<String>

    /// The library makes the store, C fills it: what is read later does not depend on how the library writes.
    init(count: Int, at url: URL, indexing indexed: Set<String> = []) throws {
        self.indexed = indexed
        self.url = url
        self.count = count
        try Workbench.close(try open())
        guard count > 0 else { return }
        let result = raw_fill_items(url.path, Int64(count))
        guard result == 0 else { throw Failure("SQLite could not fill \(url.path): result code \(result)") }
    }

    /// A store that is there already, with so many objects.
    init(stored count: Int, at url: URL) {
        self.url = url
        self.count = count
        indexed = []
    }

    /// Opens the store with a coordinator of its own, whose row cache is empty.
    func open(pragmas: [String: String] = [:], tracksHistory: Bool = false) throws -> NSPersistentContainer {
        let attributes = Self.attributeNames.map { ($0, NSAttributeType.integer64AttributeType) }
        return try Workbench.open(
            url, Workbench.model("Item", attributes, indexed: indexed), pragmas: pragmas,
            tracksHistory: tracksHistory)
    }

    func remove() { Workbench.removeStore(at: url) }

    static let attributeNames = (0..<10).map { "a\($0)" }

    /// The sum of the first attributes of all rows, or of the first rows, as `raw_fill_items` writes them.
    func sum(ofFirst attributes: Int, rows: Int? = nil) -> UInt64 {
        var sum: UInt64 = 0
        for row in 1...UInt64(rows ?? count) {
            for attribute in 0..<UInt64(attributes) { sum &+= (row * 31 + attribute * 7) % 1_000_003 }
        }
        return sum
    }
}

extension Workbench {
    /// The store of so many objects, which nobody changes.
    func items(_ count: Int, indexing indexed: Set<String> = []) throws -> ItemStore {
        try once("items \(count) \(indexed.sorted())") {
            try ItemStore(count: count, at: place("Items"), indexing: indexed)
        }
    }
}
