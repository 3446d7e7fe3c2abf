import CRawBaseline
import CoreData
import CoreDataViewing

/// The objects of each month, as the page's console groups them, beside C that groups by a column of months.
enum MonthGroups {
    static let all = [
        Benchmark("GM", "count # objects by the months of a date, in C by a column", size: 1_000_000, bar: 2) {
            count, bench in
            let url = try bench.once("events \(count)") { try fill(bench.place("Events"), count) }
            let container = try Workbench.open(url, model)
            return Sides(ours: { try group(container, count) }, raw: { try rawGroup(url, count) })
        }
    ]

    private static let months = 480

    private static var model: NSManagedObjectModel {
        Workbench.model("Event", [("month", .integer64AttributeType), ("made", .dateAttributeType)])
    }

    /// Events on the first 28 days of the months of forty years, the months in no order.
    private static func fill(_ url: URL, _ count: Int) throws -> URL {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let starts = (0..<months).compactMap { month in
            calendar.date(from: DateComponents(year: 1981 + month / 12, month: month % 12 + 1))
        }
        guard starts.count == months else { throw Failure("the calendar has \(starts.count) months") }
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        try context.performAndWait {
            var number = 0
            let request = NSBatchInsertRequest(
                entityName: "Event",
                dictionaryHandler: { values in
                    guard number < count else { return true }
                    let scattered = number &* 2_654_435_761 % 4_294_967_296
                    let month = scattered % months
                    values["month"] = month
                    values["made"] = starts[month].addingTimeInterval(Double(scattered / months % 2_419_200) + 0.5)
                    number += 1
                    return false
                })
            _ = try context.execute(request)
        }
        try Workbench.close(container)
        return url
    }

    private static func group(_ container: NSPersistentContainer, _ count: Int) throws -> Sample {
        let context = container.newBackgroundContext()
        guard let store = container.persistentStoreCoordinator.persistentStores.first,
            let entity = container.managedObjectModel.entitiesByName["Event"]
        else { throw Failure("the store of events is not open") }
        return try context.performAndWait {
            let request = try SummaryRequest(
                entity, in: store, where: nil, group: "made@month", aggregates: ["count"], having: nil, sort: nil,
                limit: 1_000, kind: .table)
            let start = raw_now()
            let summary = try context.summary(of: request, in: store)
            let seconds = raw_now() - start
            let sum = summary.rows.reduce(0) { $0 + ($1.last?.text.flatMap(Int.init) ?? 0) }
            guard summary.rows.count == min(months, count), sum == count else {
                throw Failure("\(sum) objects are in \(summary.rows.count) months")
            }
            return Sample(seconds: seconds)
        }
    }

    private static func rawGroup(_ url: URL, _ count: Int) throws -> Sample {
        let result = raw_scan_keys(url.path, "SELECT COUNT(*) FROM ZEVENT GROUP BY ZMONTH")
        guard result.error == 0, result.rows == min(months, count), result.sum == count else {
            throw Failure("the raw groups are wrong: \(result)")
        }
        return Sample(seconds: result.seconds)
    }
}
