import CRawBaseline
import CoreData

/// What a list needs first: a page of a large store by an indexed attribute, from opening the store on.
///
/// The store has a binary attribute of 900 bytes beside its numbers, so that a million rows are a file of a gigabyte.
enum FirstPage {
    static let all = [
        Benchmark("O", size: 1_000_000) { count, session in
            let url = try store(session.workbench, count)
            _ = try seconds(url, count)
            let times = try (0..<session.runs).map { _ in try seconds(url, count) }
            let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
            return [
                Row(
                    name: "O  open \(size >> 20) MiB and fetch the first 20 of \(count) by an indexed key, ms",
                    value: Measurement.median(of: times) * 1_000, bar: 20, stretch: 8)
            ]
        }
    ]

    /// The store of so many sheets, which nothing changes.
    static func store(_ bench: Workbench, _ count: Int) throws -> URL {
        try bench.once("pages \(count)") { try fill(bench.place("Pages"), count) }
    }

    static var model: NSManagedObjectModel {
        Workbench.model(
            "Sheet", [("number", .integer64AttributeType), ("scan", .binaryDataAttributeType)], indexed: ["number"])
    }

    private static func fill(_ url: URL, _ count: Int) throws -> URL {
        let container = try Workbench.open(url, model)
        let scan = Data(repeating: 7, count: 900)
        let context = container.newBackgroundContext()
        try context.performAndWait {
            var number = 0
            let request = NSBatchInsertRequest(
                entityName: "Sheet",
                dictionaryHandler: { values in
                    guard number < count else { return true }
                    values["number"] = number &* 2_654_435_761 % 4_294_967_296
                    values["scan"] = scan
                    number += 1
                    return false
                })
            _ = try context.execute(request)
        }
        try Workbench.close(container)
        return url
    }

    private static func seconds(_ url: URL, _ count: Int) throws -> Double {
        let start = raw_now()
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        let values = try context.performAndWait {
            let request = NSFetchRequest<Sheet>(entityName: "Sheet")
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            request.fetchLimit = 20
            return try context.fetch(request).map(\.number)
        }
        let seconds = raw_now() - start
        try Workbench.close(container)
        guard values.count == min(20, count), values == values.sorted() else {
            throw Failure("the first page is \(values)")
        }
        return seconds
    }
}

/// A large row with a number.
final class Sheet: NSManagedObject {
    static let table = PropertyTable([.stored("number"), .stored("scan")])

    override class var propertyTable: PropertyTable { table }

    var number: Int64 { attribute(0) }
}
