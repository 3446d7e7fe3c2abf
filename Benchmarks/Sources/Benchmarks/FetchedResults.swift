import CRawBaseline
import CoreData

/// Lists that follow their context: the first fetch, one change, and many lists of the same objects.
struct FetchedResults {
    private static let sections = 26
    let store: PeopleList
    private let small: PeopleList

    init(count: Int) throws {
        store = try PeopleList(count: count)
        small = try PeopleList(count: max(1, count / 10))
    }

    func remove() {
        store.remove()
        small.remove()
    }

    /// The measures as lines.
    func lines(runs: Int) throws -> [String] {
        var times: [(list: Double, raw: Double)] = []
        for _ in 0...runs { times.append((try store.firstFetch(), try store.rawScan())) }
        let (list, raw) = (Self.median(times.dropFirst().map(\.list)), Self.median(times.dropFirst().map(\.raw)))
        let (large, little) = (try store.change(runs: 200), try small.change(runs: 200))
        let many = try Self.tellMany(count: 1_000)
        return [
            "performFetch of \(store.count) rows in \(Self.sections) sections: \(Self.text(list)), the ordered key scan in C "
                + "\(Self.text(raw)): \(Self.ratio(list, raw)) (≤ 2)\(list > raw * 2 ? " missed" : "")",
            "One changed object of \(store.count): \(Self.text(large)) (≤ 1 ms\(large > 0.001 ? " missed" : "")), of "
                + "\(small.count): \(Self.text(little)): \(Self.ratio(large, little)) (≤ 2)"
                + (large > little * 2 ? " missed" : ""),
            "1000 lists of 1000 objects told of one change, ten times: \(Self.text(many)) (≤ 2 s)"
                + (many > 2 ? " missed" : ""),
        ]
    }

    private static func text(_ seconds: Double) -> String { String(format: "%.3f ms", seconds * 1_000) }
    private static func ratio(_ one: Double, _ other: Double) -> String { String(format: "%.2f", one / other) }
    static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    private static func tellMany(count: Int) throws -> Double {
        let list = try PeopleList(count: count)
        defer { list.remove() }
        return try list.tell(controllers: count, times: 10)
    }
}

/// Counts what it is told, and keeps nothing else.
private final class Listener: NSFetchedResultsControllerDelegate {
    var count = 0

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) { count += 1 }
}

/// A store of entries with a letter, which is their section, and a number.
final class PeopleList {
    let count: Int
    private let url: URL
    private let container: NSPersistentContainer

    init(count: Int) throws {
        self.count = count
        url = FileManager.default.temporaryDirectory.appendingPathComponent("Lists-\(UUID().uuidString).sqlite")
        container = NSPersistentContainer(name: "Lists", managedObjectModel: Self.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        let context = container.newBackgroundContext()
        try context.performAndWait {
            for number in 0..<count {
                let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: context)
                entry.setValue(Self.letter(number), forKey: "letter")
                entry.setValue(number * 31 % 1_000_003, forKey: "number")
            }
            try context.save()
        }
    }

    func remove() {
        for store in container.persistentStoreCoordinator.persistentStores {
            try? container.persistentStoreCoordinator.remove(store)
        }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }

    private static func letter(_ number: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "A") + UInt8(number * 7 % 26)))
    }

    private static func model() -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Entry"
        entity.properties = [("letter", NSAttributeType.stringAttributeType), ("number", .integer64AttributeType)].map {
            let attribute = NSAttributeDescription()
            attribute.name = $0
            attribute.attributeType = $1
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    private func controller(in context: NSManagedObjectContext) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
        request.sortDescriptors = ["letter", "number"].map { NSSortDescriptor(key: $0, ascending: true) }
        request.fetchBatchSize = 20
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "letter", cacheName: nil)
    }

    /// How long the first fetch takes, in seconds.
    func firstFetch() throws -> Double {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let controller = controller(in: context)
            let start = raw_now()
            try controller.performFetch()
            let seconds = raw_now() - start
            guard controller.sections?.count == min(count, 26),
                controller.sections?.reduce(0, { $0 + $1.numberOfObjects }) == count
            else { throw Failure("the list has other sections") }
            return seconds
        }
    }

    /// How long the keys take in their order in C.
    func rawScan() throws -> Double {
        let result = raw_scan_keys(url.path, "SELECT Z_PK FROM ZENTRY ORDER BY ZLETTER, ZNUMBER")
        guard result.error == 0, result.rows == Int64(count) else { throw Failure("the raw scan gives \(result)") }
        return result.seconds
    }

    /// How long one changed object takes until the delegate has been told; the median.
    func change(runs: Int) throws -> Double {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let (controller, listener) = (controller(in: context), Listener())
            defer { withExtendedLifetime(controller) {} }
            controller.delegate = listener
            try controller.performFetch()
            let objects = (0..<runs).map { number in
                let section = number % (controller.sections?.count ?? 1)
                let rows = controller.sections?[section].numberOfObjects ?? 1
                return controller.object(at: IndexPath(row: number * 7919 % rows, section: section))
            }
            for object in objects { _ = object.value(forKey: "number") }
            let times = objects.enumerated().map { number, object in
                let start = raw_now()
                object.setValue(number * 4999 % 1_000_003, forKey: "number")
                context.processPendingChanges()
                return raw_now() - start
            }
            guard listener.count >= runs * 9 / 10 else { throw Failure("\(listener.count) messages of \(runs)") }
            return FetchedResults.median(times)
        }
    }

    /// How long it takes until many lists have been told of one change, several times.
    func tell(controllers count: Int, times: Int) throws -> Double {
        let context = container.newBackgroundContext()
        return try context.performAndWait {
            let listener = Listener()
            let controllers = try (0..<count).map { _ in
                let made = controller(in: context)
                made.delegate = listener
                try made.performFetch()
                return made
            }
            defer { withExtendedLifetime(controllers) {} }
            let object = controllers[0].object(at: IndexPath(row: 0, section: 0))
            let start = raw_now()
            for number in 0..<times {
                object.setValue(number * 100_003, forKey: "number")
                context.processPendingChanges()
            }
            let seconds = raw_now() - start
            // A number that the object had already is no change.
            guard listener.count >= count * (times - 1) else { throw Failure("\(listener.count) messages") }
            return seconds
        }
    }
}
