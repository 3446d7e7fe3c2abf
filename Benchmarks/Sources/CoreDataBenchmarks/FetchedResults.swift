import CRawBaseline
import CoreData

/// Lists that follow their context: the first fetch, one change, and many lists of the same objects.
enum FetchedResults {
    static let all = [
        Benchmark(
            "LF", "performFetch of # rows in 26 sections, beside the ordered scan of keys", size: 100_000,
            bar: 2
        ) {
            count, bench in
            let list = try bench.once("list \(count)") { try PeopleList(count: count, at: bench.place("List")) }
            return Sides(ours: { Sample(seconds: try list.firstFetch()) }, raw: { Sample(seconds: try list.rawScan()) })
        },
        Benchmark("LC", size: 100_000) { count, session in
            let bench = session.workbench
            let (large, small) = try (change(count, bench), change(max(1, count / 10), bench))
            return [
                Row(name: "LC  one changed object in a list of \(count), ms", value: large * 1_000, bar: 1),
                Row(name: "LC growth  the same by that in a list of \(count / 10)", value: large / small, bar: 2),
            ]
        },
        Benchmark("LM", size: 1_000) { count, session in
            let list = try PeopleList(count: count, at: session.workbench.place("Lists"))
            let seconds = try list.tell(controllers: count, times: 10)
            return [
                Row(
                    name: "LM  \(count) lists of \(count) objects told of one change, ten times, s", value: seconds,
                    bar: 2)
            ]
        },
    ]

    /// By turns with nothing else: the median of many changes, the better of three rounds.
    private static func change(_ count: Int, _ bench: Workbench) throws -> Double {
        let list = try bench.once("list \(count)") { try PeopleList(count: count, at: bench.place("List")) }
        return try (0..<3).map { _ in try list.change(runs: 200) }.min() ?? 0
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

    init(count: Int, at url: URL) throws {
        (self.count, self.url) = (count, url)
        container = try Workbench.open(
            url, Workbench.model("Letter", [("letter", .stringAttributeType), ("number", .integer64AttributeType)]))
        let context = container.newBackgroundContext()
        try context.performAndWait {
            for number in 0..<count {
                let entry = NSEntityDescription.insertNewObject(forEntityName: "Letter", into: context)
                entry.setValue(Self.letter(number), forKey: "letter")
                entry.setValue(number * 31 % 1_000_003, forKey: "number")
            }
            try context.save()
        }
    }

    private static func letter(_ number: Int) -> String {
        String(UnicodeScalar(UInt8(ascii: "A") + UInt8(number * 7 % 26)))
    }

    private func controller(in context: NSManagedObjectContext) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Letter")
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
        let result = raw_scan_keys(url.path, "SELECT Z_PK FROM ZLETTER ORDER BY ZLETTER, ZNUMBER")
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
            return Measurement.median(of: times)
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

/// An entry of a list.
final class Letter: NSManagedObject {
    static let table = PropertyTable([.stored("letter"), .stored("number")])

    override class var propertyTable: PropertyTable { table }
}
