import CoreData
import Foundation
import LockKit

/// What was fetched, in order. Which objects there are is known; each is read when it is asked for, some at a time.
///
/// All are of the state of the library when it was fetched. The store keeps that state as long as a result of it is referred to, so that
/// results should not be kept for long in a library that changes. A result can be used from any thread.
public final class PHFetchResult<Element: Sendable>: RandomAccessCollection, @unchecked Sendable {
    /// How many are read together.
    private static var portion: Int { 100 }

    private let ids: [NSManagedObjectID]
    private let context: NSManagedObjectContext?
    private let make: @Sendable (NSManagedObject) -> Element
    private let known = Locked<[Int: Element]>([:])

    init(
        _ ids: [NSManagedObjectID], _ context: NSManagedObjectContext,
        make: @escaping @Sendable (NSManagedObject) -> Element
    ) {
        (self.ids, self.context, self.make) = (ids, context, make)
    }

    /// A result of elements that are known.
    init(_ elements: [Element], _ make: @escaping @Sendable (NSManagedObject) -> Element) {
        (ids, context, self.make) = ([], nil, make)
        known.withLock { $0 = Dictionary(uniqueKeysWithValues: elements.enumerated().map { ($0.offset, $0.element) }) }
        fixedCount = elements.count
    }

    private var fixedCount: Int?

    /// The number of objects.
    public var count: Int { fixedCount ?? ids.count }
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    /// The object at a place; a place out of bounds stops the program.
    public subscript(position: Int) -> Element { object(at: position) }

    /// The object at a place; a place out of bounds stops the program.
    public func object(at index: Int) -> Element {
        precondition(indices.contains(index), "there is no object at \(index) of \(count) in the fetch result")
        if let found = known.withLock({ $0[index] }) { return found }
        guard let context else { preconditionFailure("a fetch result has lost its objects") }
        let start = index / Self.portion * Self.portion
        let places = start..<Swift.min(start + Self.portion, ids.count)
        let read = context.performAndWait { () -> [Element] in
            let objects = places.map { context.object(with: ids[$0]) }
            // The rows of the portion by one fetch.
            if let name = objects.first?.entity.name {
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                request.predicate = NSPredicate(format: "SELF IN %@", objects)
                request.returnsObjectsAsFaults = false
                do { _ = try context.fetch(request) } catch {
                    NSLog("the rows of a fetch result are read one by one: \(error)")
                }
            }
            let made = objects.map(make)
            context.reset()
            return made
        }
        return known.withLock { known in
            for (place, element) in zip(places, read) { known[place] = element }
            return read[index - start]
        }
    }

    /// The first object; nil for an empty result.
    public var firstObject: Element? { isEmpty ? nil : object(at: 0) }
    /// The last object; nil for an empty result.
    public var lastObject: Element? { isEmpty ? nil : object(at: count - 1) }

    /// The objects at some places.
    public func objects(at indexes: IndexSet) -> [Element] { indexes.map { object(at: $0) } }

    /// Calls a block with each object, until it sets its last argument.
    public func enumerateObjects(_ block: (Element, Int, inout Bool) -> Void) {
        var isStopped = false
        for index in indices where !isStopped { block(object(at: index), index, &isStopped) }
    }

    /// How many objects were read so far.
    var readCount: Int { known.withLock { $0.count } }
}

extension PHFetchResult where Element == PHAsset {
    static var empty: PHFetchResult<PHAsset> {
        PHFetchResult([]) { PHAsset($0, in: URL(fileURLWithPath: "/")) }
    }

    /// The number of assets of a kind; all are read.
    public func countOfAssets(with mediaType: PHAssetMediaType) -> Int { count { $0.mediaType == mediaType } }
}

extension PHFetchResult where Element: Equatable {
    /// Whether an object is among those that were fetched.
    public func contains(_ object: Element) -> Bool { firstIndex(of: object) != nil }
    /// The place of an object; `NSNotFound` if it is not there.
    public func index(of object: Element) -> Int { firstIndex(of: object) ?? NSNotFound }
}
