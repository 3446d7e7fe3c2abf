import CoreData
import Foundation
import LockKit

/// Items that were fetched together, whose values are read in blocks when they are first asked for.
///
/// Invariants:
/// 1. A block is read once: the values of an item are those of one time.
final class ItemList: Sendable {
    private static let block = 128

    let library: MPMediaLibrary
    let ids: [NSManagedObjectID]
    private let blocks = Locked<[Int: [ItemValues]]>([:])

    init(_ library: MPMediaLibrary, _ ids: [NSManagedObjectID]) { (self.library, self.ids) = (library, ids) }

    var items: [MPMediaItem] { ids.indices.map { MPMediaItem(self, $0) } }

    /// The values of an item; those of a row that was deleted are empty.
    func values(_ index: Int) -> ItemValues {
        let (block, place) = index.quotientAndRemainder(dividingBy: Self.block)
        return blocks.withLock { blocks in
            if let values = blocks[block] { return values[place] }
            let start = block * Self.block
            let values = Self.read(Array(ids[start..<min(start + Self.block, ids.count)]), library)
            blocks[block] = values
            return values[place]
        }
    }

    private static func read(_ ids: [NSManagedObjectID], _ library: MPMediaLibrary) -> [ItemValues] {
        let read = try? library.perform { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: MediaModel.item)
            request.predicate = NSPredicate(format: "SELF IN %@", ids)
            request.relationshipKeyPathsForPrefetching = ["folder"]
            var found: [NSManagedObjectID: ItemValues] = [:]
            for row in try context.fetch(request) { found[row.objectID] = ItemValues(row) }
            return ids.map { found[$0] ?? ItemValues() }
        }
        return read ?? ids.map { _ in ItemValues() }
    }
}

/// The values of a row at one time.
struct ItemValues: @unchecked Sendable {
    // Texts, numbers and dates, which do not change.
    private(set) var values: [String: Any] = [:]
    private(set) var file: URL?
    private(set) var artwork: NSManagedObjectID?

    init() {}

    init(_ row: NSManagedObject) {
        for name in row.entity.attributesByName.keys { if let value = row.value(forKey: name) { values[name] = value } }
        artwork = row.objectIDs(forRelationshipNamed: "artwork").first
        // A path that is no text has no URL of Foundation's.
        if values["pathBytes"] == nil, let path = RowPath.location(of: row) { file = URL(fileURLWithPath: path.text) }
    }

    func text(_ key: String) -> String? { values[key] as? String }
    func number(_ key: String) -> Int { (values[key] as? NSNumber)?.intValue ?? 0 }
    func identifier(_ key: String) -> UInt64 { UInt64(bitPattern: (values[key] as? NSNumber)?.int64Value ?? 0) }
}
