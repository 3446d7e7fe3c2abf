import CoreData

/// Runs the benchmarks that are asked for and prints one table.
///
/// | environment | what |
/// |---|---|
/// | `FILTER` | codes of benchmarks with commas between, such as `A,SF`; `L*` are all that begin so |
/// | `FORMAT` | `json` prints an array for programs |
/// | `BENCH_SCALE` | a fraction such as `1/10`, or a number, that sizes are multiplied by |
/// | `BENCH_RUNS` | how often each side runs, 5 unless said; benchmarks whose runs are long take fewer |
/// | `BENCH_PEER` | a Python with SQLAlchemy, which then does by `BENCH_PEER_SCRIPT` what it can do too |
/// | `BENCH_GRDB_PROGRAM` | the program of `Benchmarks/Peers/GRDB`, which then does what it can do too |
/// | `BENCH_PYTHON` | a Python, which then imports JSON by `BENCH_JSON_SCRIPT`, `Benchmarks/Peers/json_peer.py` |
/// | `BENCH_VIEW_SCRIPT` | `Benchmarks/Peers/first_view.py`, which leads Chromium for the browser's first view |
/// | `BENCH_PYCRDT` | a Python with pycrdt, which then makes the edits of sync by `Benchmarks/Peers/pycrdt_peer.py` |
/// | `BENCH_TRACE` | a file into which instruments record all that is measured, to see what recording costs |
/// | `BENCH_GROWTH` | `1` prints how the cost of each grows from a sixteenth of its size to four times |
@main
struct Program {
    /// In this order: what measures memory comes before what uses much.
    private static let all =
        ObjectStreaming.all + PeakMemory.all + IntegerFetch.all + NoteFetch.all + DictionaryFetch.all + RangeQueries.all
        + Relating.all
        + ModelClasses.all
        + IntegerSaving.all + BatchInsertion.all + Importing.all + MappedImporting.all + UniqueInserts.all
        + FirstPage.all
        + FetchedResults.all
        + PredicateEvaluation.all + PredicateParsing.all + ModelReading.all + CompiledModel.all + ColdStart.all
        + ParallelFetch.all
        + TextSearch.all + MonthGroups.all + BrowsedList.all + FirstView.all + HistoryCost.all + HistoryReading.all
        + MigrationCost.all
        + SyncSaving.all + SyncApplying.all + SyncPast.all + SyncBesidePycrdt.all + SyncJoining.all
        + ServerReading.all + ServerWriting.all + ServerCopying.all

    private static let environment = ProcessInfo.processInfo.environment

    static func main() {
        do {
            if let figure = try ChildWork.figure(of: CommandLine.arguments) { return print(figure) }
            let session = Session(scale: try scale(), runs: try runs(), workbench: try Workbench())
            defer { session.workbench.remove() }
            if let path = environment["BENCH_TRACE"], !path.isEmpty {
                try CoreDataInstruments.startRecording(to: URL(fileURLWithPath: path))
            }
            defer { CoreDataInstruments.stopRecording() }
            try run(session)
        } catch {
            FileHandle.standardError.write(Data("Benchmarks: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ session: Session) throws {
        let wanted = try selected()
        if environment["BENCH_GROWTH"] == "1" {
            let others = wanted.filter { !$0.grows }.map(\.code).joined(separator: ", ")
            if !others.isEmpty { show("without times of two sides that could be compared by size: \(others)") }
            let rows = try wanted.filter(\.grows).flatMap { benchmark in
                let rows = try Growth.rows(of: benchmark, session)
                for row in rows { show(row.line) }
                return rows
            }
            return print(Report(rows: rows).table)
        }
        let peers = Peer.all(environment, workbench: session.workbench)
        let rows = try wanted.flatMap { benchmark in
            defer { session.workbench.clear() }
            var rows = try benchmark.rows(session)
            guard !rows.isEmpty else { return rows }
            for peer in peers {
                let times = try peer.seconds(of: benchmark.code, size: benchmark.count(session))
                for (index, seconds) in times.enumerated() where index < rows.count {
                    rows[index].peerSeconds[peer.library] = seconds
                }
            }
            for row in rows { show(row.line) }
            return rows
        }
        if environment["FORMAT"] == "json" { return print(try Report(rows: rows).json()) }
        print(Report(rows: rows).table)
        print("\nMedians of \(session.runs) runs by turns, ± the middle half of ours. \(Machine.line)")
    }

    /// Shows a line while other rows are still measured.
    private static func show(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }

    private static func selected() throws -> [Benchmark] {
        guard let text = environment["FILTER"], !text.isEmpty else { return all }
        let patterns = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let found = all.filter { benchmark in
            patterns.contains { pattern in
                pattern.hasSuffix("*") ? benchmark.code.hasPrefix(pattern.dropLast()) : benchmark.code == pattern
            }
        }
        guard !found.isEmpty else {
            throw Failure("FILTER=\(text) selects none of \(all.map(\.code).joined(separator: ", "))")
        }
        return found
    }

    private static func runs() throws -> Int {
        guard let text = environment["BENCH_RUNS"], !text.isEmpty else { return 5 }
        guard let runs = Int(text), (1...1_000).contains(runs) else {
            throw Failure("BENCH_RUNS=\(text) is not a number of runs")
        }
        return runs
    }

    private static func scale() throws -> Double {
        guard let text = environment["BENCH_SCALE"], !text.isEmpty else { return 1 }
        let parts = text.split(separator: "/").map { Double($0) ?? .nan }
        let scale = parts.count == 2 ? parts[0] / parts[1] : parts.first ?? .nan
        guard parts.count <= 2, scale > 0, scale <= 100 else { throw Failure("BENCH_SCALE=\(text) is not a size") }
        return scale
    }
}
