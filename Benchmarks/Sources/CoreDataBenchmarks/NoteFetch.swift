import CRawBaseline
import CoreData

/// An object of four texts, four numbers and two dates with the accessors that a generated class has.
final class Note: NSManagedObject {
    static let table = PropertyTable(NoteFetch.attributes.map { .stored($0.0) })

    override class var propertyTable: PropertyTable { table }

    var date0: Date? { attribute(0) }
    var date1: Date? { attribute(1) }
    var number0: Int64 { attribute(2) }
    var number1: Int64 { attribute(3) }
    var number2: Int64 { attribute(4) }
    var number3: Int64 { attribute(5) }
    var text0: String? { attribute(6) }
    var text1: String? { attribute(7) }
    var text2: String? { attribute(8) }
    var text3: String? { attribute(9) }
}

/// Objects of texts, numbers and dates, fetched and read once: what a list of an application does.
enum NoteFetch {
    static let all = [
        Benchmark(
            "T", "fetch # objects of 4 texts, 4 numbers and 2 dates and read each", size: 200_000, bar: 2.5,
            stretch: 1.7
        ) { count, bench in
            let (url, sum) = try bench.once("notes \(count)") { try fill(bench.place("Notes"), count) }
            return Sides(ours: { try fetch(url, count, sum) }, raw: { try rawFetch(url, count, sum) })
        }
    ]

    static let attributes: [(String, NSAttributeType)] =
        (0..<2).map { ("date\($0)", .dateAttributeType) } + (0..<4).map { ("number\($0)", .integer64AttributeType) }
        + (0..<4).map { ("text\($0)", .stringAttributeType) }

    private static var model: NSManagedObjectModel { Workbench.model("Note", attributes) }

    /// Texts of a few to some sixty bytes, a third of them beyond ASCII.
    private static func text(_ row: Int, _ number: Int) -> String {
        let words = ["note", "naïve café", "a somewhat longer text that does not fit into a register", "Ω"]
        return words[(row + number) % words.count] + " \(row)"
    }

    private static func fill(_ url: URL, _ count: Int) throws -> (URL, UInt64) {
        let container = try Workbench.open(url, model)
        var sum: UInt64 = 0
        for start in stride(from: 0, to: count, by: 50_000) {
            let objects = (start..<min(count, start + 50_000)).map { row -> [String: Any] in
                var values: [String: Any] = [:]
                for number in 0..<4 {
                    let text = text(row, number)
                    values["text\(number)"] = text
                    values["number\(number)"] = Int64(row * 7 + number)
                    sum &+= UInt64(text.utf8.count) &+ UInt64(row * 7 + number)
                }
                for number in 0..<2 {
                    values["date\(number)"] = Date(timeIntervalSinceReferenceDate: Double(row + number))
                    sum &+= UInt64(row + number)
                }
                return values
            }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                _ = try context.execute(NSBatchInsertRequest(entityName: "Note", objects: objects))
            }
        }
        try Workbench.close(container)
        return (url, sum)
    }

    private static func fetch(_ url: URL, _ count: Int, _ expected: UInt64) throws -> Sample {
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        let seconds = try context.performAndWait {
            let request = NSFetchRequest<Note>(entityName: "Note")
            request.returnsObjectsAsFaults = false
            let start = raw_now()
            let notes = try context.fetch(request)
            let sum = notes.reduce(into: UInt64(0)) { $0 &+= Self.sum(of: $1) }
            let seconds = raw_now() - start
            guard notes.count == count, sum == expected else { throw Failure("the fetch saw wrong notes") }
            return seconds
        }
        try Workbench.close(container)
        return Sample(seconds: seconds)
    }

    private static func sum(of note: Note) -> UInt64 {
        var sum = UInt64(bitPattern: note.number0 &+ note.number1 &+ note.number2 &+ note.number3)
        for text in [note.text0, note.text1, note.text2, note.text3] { sum &+= UInt64(text?.utf8.count ?? 0) }
        for date in [note.date0, note.date1] { sum &+= UInt64(date?.timeIntervalSinceReferenceDate ?? 0) }
        return sum
    }

    private static func rawFetch(_ url: URL, _ count: Int, _ expected: UInt64) throws -> Sample {
        let result = raw_fetch_notes(url.path)
        guard result.error == 0, result.rows == count, result.sum == expected else {
            throw Failure("the raw fetch saw wrong notes: \(result)")
        }
        return Sample(seconds: result.seconds)
    }
}
