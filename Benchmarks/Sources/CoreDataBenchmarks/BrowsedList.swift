import CRawBaseline
import CoreData
import CoreDataBrowser
import Dispatch
import Synchronization

/// What a person waits for in the browser's list of a large entity, asked as its page asks, without a network between.
///
/// Each row is the median of some requests to a browser that has not answered them before, in milliseconds; `BL bytes` is what
/// the keys of an order take, for each object.
enum BrowsedList {
    static let all = [
        Benchmark("BL", size: 1_000_000) { count, session in
            let url = try session.workbench.once("browsed \(count)") {
                try fill(session.workbench.place("Browsed"), count)
            }
            return try rows(url, count, session)
        }
    ]

    /// What is asked, by the part of a row's name, with the greatest number of milliseconds.
    private static let firstRows: [(name: String, query: String, bar: Double)] = [
        ("the first 100 rows", "", 200), ("the first 100 rows by an indexed key", "sort=rank", 200),
        ("the first 100 rows by a text with an index", "sort=title", 200),
        ("the first 100 rows by a key without an index", "sort=weight", 1_000),
        ("the first 100 of a tenth, by a predicate", "where=colour%20%3D%3D%203", 200),
        ("the first 100 of a hundredth, by a search", "search=w%C3%B6rd%2017", 200),
    ]

    private static func rows(_ url: URL, _ count: Int, _ session: Session) throws -> [Row] {
        let title = { (name: String) in "BL  \(name) of \(count) in the browser, ms" }
        var rows = try firstRows.map { part in
            let times = try (0..<session.runs).map { _ in
                try Asker(url).milliseconds("?limit=100&\(part.query)") { $0.contains("\"id\": \"Note/p") }
            }
            return Row(name: title(part.name), value: Measurement.median(of: times), bar: part.bar)
        }
        var asker = try Asker(url)
        // All rows are looked through; a text that is marked for the search index would not be.
        let nothing = try asker.milliseconds("?limit=100&search=w%C3%B6rd%20absent") { $0.contains("\"total\": 0") }
        rows.append(Row(name: title("no hits of a search without an index"), value: nothing))
        let making = try (0..<session.runs).map { _ in
            asker = try Asker(url)
            return try asker.milliseconds("/total?sort=weight") { $0.contains("\"total\": \(count)") }
        }
        rows.append(Row(name: title("the keys of an order without an index"), value: Measurement.median(of: making)))
        let windows = try (0..<20).map { number in
            let offset = number &* 2_654_435_761 % max(1, count - 100)
            return try asker.milliseconds("?sort=weight&limit=100&offset=\(offset)") {
                $0.contains("\"total\": \(count)") && $0.contains("\"id\": \"Note/p")
            }
        }
        rows.append(
            Row(name: title("100 rows at any of 20 places, the slowest,"), value: windows.max() ?? 0, bar: 50))
        rows.append(
            Row(name: "BL bytes  the keys of an order, for each object", value: try asker.bytes(count), bar: 16))
        let facets = try (0..<session.runs).map { _ in
            try Asker(url).milliseconds("/facets?keys=colour") { $0.contains("\"count\": ") }
        }
        return rows + [Row(name: title("facets of a key"), value: Measurement.median(of: facets), bar: 100)]
    }

    private static var model: NSManagedObjectModel {
        Workbench.model(
            "Note",
            [
                ("title", .stringAttributeType), ("text", .stringAttributeType), ("rank", .integer64AttributeType),
                ("weight", .integer64AttributeType), ("colour", .integer64AttributeType), ("made", .dateAttributeType),
            ], indexed: ["rank", "title"])
    }

    private static func fill(_ url: URL, _ count: Int) throws -> URL {
        let container = try Workbench.open(url, model)
        let context = container.newBackgroundContext()
        try context.performAndWait {
            var number = 0
            let request = NSBatchInsertRequest(
                entityName: "Note",
                dictionaryHandler: { values in
                    guard number < count else { return true }
                    let scattered = number &* 2_654_435_761 % 4_294_967_296
                    values["title"] = "Note \(scattered)"
                    values["text"] = "A text of some words, among them wörd \(scattered % 100)."
                    values["rank"] = scattered
                    values["weight"] = scattered &* 40_503 % 65_521
                    values["colour"] = scattered % 10
                    values["made"] = Date(timeIntervalSinceReferenceDate: Double(number))
                    number += 1
                    return false
                })
            _ = try context.execute(request)
        }
        try Workbench.close(container)
        return url
    }

    /// A browser that has just been opened on the store.
    private final class Asker {
        private let browser: Browser

        init(_ url: URL) throws {
            browser = Browser()
            try browser.open(url)
        }

        /// How long a request for the list, or for what is below it, takes until its last byte is there.
        func milliseconds(_ query: String, _ isRight: (String) -> Bool) throws -> Double {
            let start = raw_now()
            let text = try wait { [browser] in
                let request = BrowserRequest(
                    target: "/stores/1/entities/Note\(query)", user: BrowserUser(name: "benchmark"))
                let body = await browser.respond(to: request).body
                var bytes: [UInt8] = []
                while let piece = try await body.next() { bytes += piece }
                return String(decoding: bytes, as: UTF8.self)
            }
            let seconds = raw_now() - start
            guard isRight(text) else { throw Failure("the browser answered \(query) with \(text.prefix(300))") }
            return seconds * 1_000
        }

        /// What the keys of the orders that are held take, for each object.
        func bytes(_ count: Int) throws -> Double {
            guard let store = browser.core.shown.first else { throw Failure("no store is shown") }
            return Double(browser.core.orders(of: store).statistics.bytes) / Double(count)
        }

        /// Waits for a task, which the benchmarks' own thread has nothing to do beside.
        private func wait(_ body: @escaping @Sendable () async throws -> String) throws -> String {
            let done = DispatchSemaphore(value: 0)
            let outcome = Mutex<Result<String, any Error>?>(nil)
            Task.detached {
                let result: Result<String, any Error>
                do { result = .success(try await body()) } catch { result = .failure(error) }
                outcome.withLock { $0 = result }
                done.signal()
            }
            done.wait()
            guard let result = outcome.withLock({ $0 }) else { throw Failure("no answer came") }
            return try result.get()
        }
    }
}
