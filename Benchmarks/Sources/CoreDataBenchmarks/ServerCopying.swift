import CRawBaseline
import CRawPostgres
import CoreData
import TestServers

/// `coredata copy` in a process of its own, from a file to a server and back, beside C that reads and inserts the same rows by
/// SQLite's functions and COPY.
enum ServerCopying {
    static let all = [
        Benchmark("QC", size: 1_000_000) { count, session in
            try ServerStore.rows("QC") {
                let scene = try Scene(session.workbench, count)
                let runs = min(3, session.runs)
                let there = try Measurement(of: Sides(ours: scene.copyThere, raw: scene.rawThere), runs: runs)
                let back = try scene.withCopyThere { place in
                    try Measurement(
                        of: Sides(ours: { try scene.copyBack(place) }, raw: { try scene.rawBack(place) }), runs: runs)
                }
                return [
                    Row(
                        name: "QC  copy \(count) objects of 10 integers to a server, beside SQLite's C API and COPY",
                        value: there.ratio, bar: 2, measurement: there),
                    Row(
                        name: "QC  copy them back, beside COPY and SQLite's C API", value: back.ratio, bar: 2,
                        measurement: back),
                    Row(name: "QC bytes  the most memory that a copy took, MiB", value: scene.peak.mebibytes, bar: 128),
                ]
            }
        }
    ]

    /// The most memory that any of several processes had in use.
    private final class Peak {
        var mebibytes = 0.0
    }

    private struct Scene {
        let peak = Peak()
        private let bench: Workbench
        private let count: Int
        private let items: ItemStore
        private let server: PostgresServer

        init(_ bench: Workbench, _ count: Int) throws {
            self.bench = bench
            self.count = count
            items = try bench.items(count)
            server = try bench.once("server") { try PostgresServer() }
        }

        private var place: String { "host=\(server.host) user=coredata dbname=postgres" }

        private static func schema(_ url: URL) -> String {
            url.absoluteString.split(separator: "=").last.map(String.init) ?? ""
        }

        func copyThere() throws -> Sample {
            let url = server.makeURL("copied")
            defer { _ = raw_server_remove(place, Self.schema(url)) }
            return try copy(items.url.path, url.absoluteString)
        }

        func rawThere() throws -> Sample {
            let schema = Self.schema(server.makeURL("raw"))
            defer { _ = raw_server_remove(place, schema) }
            return try require(raw_server_transfer(place, schema, items.url.path, 0))
        }

        /// Lends a store on the server.
        func withCopyThere<Result>(_ body: (URL) throws -> Result) throws -> Result {
            let url = server.makeURL("copied")
            defer { _ = raw_server_remove(place, Self.schema(url)) }
            _ = try copy(items.url.path, url.absoluteString)
            return try body(url)
        }

        func copyBack(_ url: URL) throws -> Sample {
            let file = bench.place("Back")
            defer { Workbench.removeStore(at: file) }
            return try copy(url.absoluteString, file.path)
        }

        func rawBack(_ url: URL) throws -> Sample {
            let file = bench.place("RawBack")
            defer { Workbench.removeStore(at: file) }
            return try require(raw_server_transfer(place, Self.schema(url), file.path, 1))
        }

        private func require(_ result: raw_server_result) throws -> Sample {
            guard result.failed != 0 || result.rows == count else { throw Failure("C copied \(result.rows) rows") }
            return try ServerStore.require(result)
        }

        private func copy(_ source: String, _ target: String) throws -> Sample {
            let process = Process()
            let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
            process.executableURL = URL(fileURLWithPath: program).resolvingSymlinksInPath()
                .deletingLastPathComponent().appendingPathComponent("coredata")
            process.arguments = ["copy", source, target]
            process.standardError = FileHandle.nullDevice
            let start = raw_now()
            try process.run()
            while process.isRunning {
                note(process.processIdentifier)
                usleep(5_000)
            }
            process.waitUntilExit()
            let seconds = raw_now() - start
            guard process.terminationStatus == 0 else { throw Failure("the store was not copied to \(target)") }
            return Sample(seconds: seconds)
        }

        private func note(_ process: Int32) {
            // The process may just have ended.
            let bytes = (try? ProcessMemory.peak(of: String(process))) ?? 0
            peak.mebibytes = max(peak.mebibytes, Double(bytes) / 1_048_576)
        }
    }
}
