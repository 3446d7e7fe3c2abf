import CoreData

/// Runs every workload against the library and against plain C, and prints one table.
@main
struct Program {
    private static let runs = 5
    private static let fullSize = 200_000

    static func main() {
        do {
            try run()
        } catch {
            FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run() throws {
        let large = try FirstPage.store(count: size(of: 1_000_000))
        defer { large.remove() }
        let streaming = ObjectStreaming(store: large)
        let largeLines = try [streaming.line(), FirstPage(store: large).line(runs: runs)]
        let store = try ItemStore(count: size(of: fullSize))
        defer { store.remove() }
        var table = Table()
        let fetch = IntegerFetch(store: store).workload
        let saving = try IntegerSaving(insertions: size(of: 50_000), changes: size(of: 10_000))
        // BENCH_ONLY=B runs one workload alone, for a profiler.
        let only = ProcessInfo.processInfo.environment["BENCH_ONLY"] ?? ""
        let values = DictionaryFetch(store: store).workload
        let workloads = [fetch, values, saving.insertion, saving.update, saving.deletion]
        for workload in workloads where workload.name.hasPrefix(only) {
            table.add(try Measurement(of: workload, runs: runs))
        }
        let people = try PeopleStore(count: size(of: fullSize))
        defer { people.remove() }
        for workload in try PredicateEvaluation(store: people).workloads where workload.name.hasPrefix(only) {
            table.add(try Measurement(of: workload, runs: runs))
        }
        if streaming.workload.name.hasPrefix(only) {
            table.add(try Measurement(of: streaming.workload, runs: runs))
        }
        let unique = UniqueInserts(count: try size(of: 1_000_000))
        let upserts = "U".hasPrefix(only) ? try unique.lines() : []
        if only == "L" {
            let lists = try FetchedResults(count: size(of: 100_000))
            defer { lists.remove() }
            return print(try lists.lines(runs: runs).joined(separator: "\n"))
        }
        if only == "U" { return print(upserts.joined(separator: "\n")) }
        let parsing = try Measurement(of: PredicateParsing().workload, runs: runs)
        table.add(parsing)
        print(table.text)
        print("\n" + PredicateParsing.lines(of: parsing).joined(separator: "\n"))
        print("\n" + upserts.joined(separator: "\n"))
        print("\n" + largeLines.joined(separator: "\n"))
        let lists = try FetchedResults(count: size(of: 100_000))
        defer { lists.remove() }
        print("\n" + (try lists.lines(runs: runs)).joined(separator: "\n"))
        let models = try ModelReading()
        defer { models.remove() }
        print("\n" + (try models.lines(runs: runs) + ModelReading.fixtureLines(runs: runs)).joined(separator: "\n"))
        print("\nMedians of \(runs) runs by turns. \(Machine.line)")
    }

    /// The number of objects, which BENCH_SCALE makes smaller: a fraction such as 1/10, or a number such as 0.1.
    private static func size(of fullSize: Int) throws -> Int {
        guard let text = ProcessInfo.processInfo.environment["BENCH_SCALE"], !text.isEmpty else { return fullSize }
        let parts = text.split(separator: "/").map { Double($0) ?? .nan }
        let scale = parts.count == 2 ? parts[0] / parts[1] : parts.first ?? .nan
        guard parts.count <= 2, scale > 0, scale <= 100 else { throw Failure("BENCH_SCALE=\(text) is not a size") }
        return max(1, Int(Double(fullSize) * scale))
    }
}
