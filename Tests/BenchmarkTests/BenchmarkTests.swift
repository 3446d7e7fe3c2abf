import CoreData
import TestBasics
import TestBrowsers
import TestServers
import Testing

/// The table of speed at a small size: every benchmark runs and sees right values; what it takes is not judged.
@Suite(.timeLimit(.minutes(20)))
struct BenchmarkTests {
    private struct Outcome {
        let code: Int32
        let output: String
        let errors: String
    }

    /// The program, which is built beside the tests.
    private static let program = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("CoreDataBenchmarks")

    private func run(_ environment: [String: String]) throws -> Outcome {
        let folder = try TemporaryFolder()
        let files = ["output", "errors"].map { folder.url.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        process.executableURL = Self.program
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("BENCH_") }
            .merging(["BENCH_SCALE": "1/10", "BENCH_RUNS": "1", "FILTER": "", "FORMAT": ""]) { $1 }
            .merging(environment) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit(within: .seconds(600))
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Outcome(code: process.terminationStatus, output: texts[0], errors: texts[1])
    }

    @Test(
        "each benchmark does its work at a small size and gives a figure",
        arguments: [
            ["S bytes", "S"], ["A peak", "B peak"], ["A", "A bytes", "AR", "AF"], ["T"], ["V", "N"], ["RQ"],
            ["P", "M", "MN", "MB"], ["CM", "CS", "CG"],
            ["B", "C", "D"],
            ["SF", "SN"],
            ["LF", "LC"], ["LM"],
            ["PF", "PW"], ["PT", "PT quiet"], ["ID", "IH"], ["IM"], ["IU"], ["U"], ["O"],
            ["E", "F", "G", "H", "I", "J", "K"], ["R"],
            ["SDI", "SDF", "SDU"], ["SDD", "SDR", "SDP"],
            ["HS", "HO", "HI", "HU"], ["HR", "HRC"], ["ML", "MM"], ["GM"], ["BL", "BL bytes"],
        ])
    func eachBenchmarkDoesItsWorkAtSmallSizeAndGivesFigure(codes: [String]) throws {
        try work(codes, scale: TestSeed.isExhaustive ? "1/10" : "1/50")
    }

    @Test("a search for words among ten thousand texts does its work and gives a figure")
    func searchForWordsAmongTenThousandTextsDoesItsWorkAndGives() throws { try work(["FT"], scale: "1/100") }

    @Test(
        "fetches, saves and copies on a server give figures",
        .enabled(if: PostgresServer.isAvailable, "there is no PostgreSQL server"),
        arguments: [["QF", "QB", "QS", "QM"], ["QC", "QC bytes"]])
    func fetchesSavesAndCopiesOnServerGiveFigures(codes: [String]) throws { try work(codes, scale: "1/50") }

    @Test("the first view in a real web browser gives a figure, and is left out in words where none is to be used")
    func firstView() throws {
        var script = URL(fileURLWithPath: #filePath)
        for _ in 0..<3 { script.deleteLastPathComponent() }
        script.appendPathComponent("Benchmarks/Peers/first_view.py")
        if WebDriver.isInstalled { try work(["BV"], scale: "1/50", ["BENCH_VIEW_SCRIPT": script.path]) }
        let without = try run(["FILTER": "BV,M", "BENCH_SCALE": "1/100", "FORMAT": "json"])
        #expect(
            without.errors.contains("left out, since Chromium is not installed") && !without.output.contains("BV "))
        #expect(without.code == 0 && without.output.contains("M "))
    }

    private func work(_ codes: [String], scale: String, _ environment: [String: String] = [:]) throws {
        let choice = ["FILTER": codes.joined(separator: ","), "FORMAT": "json", "BENCH_SCALE": scale]
        let outcome = try run(choice.merging(environment) { $1 })
        try #require(outcome.code == 0, "\(outcome.errors)")
        let entries = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]] ?? []
        // A benchmark that counted or found something else than it should ends the program with an error.
        let names = entries.compactMap { $0["name"] as? String }
        #expect(names.count == entries.count && names.count >= codes.count)
        for entry in entries {
            let peers = ["peerSeconds", "grdbSeconds"]
            #expect(Set(entry.keys) == Set(["name", "ratio", "bar", "stretch", "seconds", "rawSeconds"] + peers))
            let ratio = try #require(entry["ratio"] as? Double)
            #expect(ratio.isFinite && ratio != 0, "\(entry)")
            // Only a figure of memory has no times, and may be less than nothing.
            let times = ["seconds", "rawSeconds"].compactMap { entry[$0] as? Double }
            #expect(times.allSatisfy { $0 > 0 } && (times.isEmpty || ratio > 0), "\(entry)")
        }
        for code in codes { #expect(names.contains { $0.hasPrefix("\(code) ") }, "\(code): \(names)") }
        let strangers = names.filter { name in !codes.contains { name.hasPrefix("\($0) ") } }
        #expect(strangers == [])
    }

    @Test("the table names the machine, and the growth of each cost by its size")
    func tableNamesMachineAndGrowthOfEachCostByItsSize() throws {
        let table = try run(["FILTER": "N", "BENCH_SCALE": "1/100"])
        let lines = table.output.split(separator: "\n")
        #expect(lines.count == 3 && lines[0].hasPrefix("workload ") && lines[1].contains("2000 rows"))
        #expect(lines[2].contains("SQLite 3.") && table.errors.contains("N  count"))
        let growth = try run(["FILTER": "N", "BENCH_SCALE": "1/10", "BENCH_GROWTH": "1"])
        #expect(growth.code == 0 && growth.output.contains("20000 rows without an index: exponent of growth (in C "))
        #expect(!growth.output.contains("without 4 times") && growth.output.contains("≤ 1.05"))
        let several = try run(["FILTER": "A bytes,PF", "BENCH_SCALE": "1/100", "BENCH_GROWTH": "1"])
        #expect(several.code == 0 && several.output.split(separator: "\n").count == 4, "\(several.output)")
    }

    @Test("the times of other libraries stand beside the first rows, in columns of their own")
    func timesOfOtherLibrariesStandBesideFirstRows() throws {
        let folder = try TemporaryFolder()
        let peer = folder.url.appendingPathComponent("peer")
        let work = "[ $1 = PF ] && [ $2 = 1000 ] && [ -d $3 ] && printf '0.5\\n0.25\\n'"
        try Data("#!/bin/sh\n\(work)\n:\n".utf8).write(to: peer)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: peer.path)
        let choice = ["FILTER": "N,PF", "BENCH_SCALE": "1/100", "BENCH_GRDB_PROGRAM": peer.path]
        let table = try run(choice)
        #expect(table.code == 0 && table.output.contains("GRDB s") && !table.output.contains("SQLAlchemy s"))
        let json = try run(choice.merging(["FORMAT": "json"]) { $1 })
        let entries = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]] ?? []
        #expect(entries.map { $0["grdbSeconds"] as? Double } == [nil, 0.5, 0.25, nil, nil, nil])
        #expect(entries.allSatisfy { $0["peerSeconds"] is NSNull })
        try Data("#!/bin/sh\necho 0.5 s\n".utf8).write(to: peer)
        let broken = try run(choice)
        #expect(broken.code == 1 && broken.errors.contains("GRDB could not do the work of N"), "\(broken.errors)")
    }

    @Test("arguments other than those of a process of its own are refused")
    func otherArgumentsAreRefused() throws {
        for arguments in [["fetch"], ["fetch", "file", "many"], ["sing", "file", "1"]] {
            let process = Process()
            process.executableURL = Self.program
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit(within: .seconds(60))
            #expect(process.terminationStatus == 1, "\(arguments)")
        }
    }

    @Test(
        "an unknown benchmark, an invalid size and an invalid number of runs are refused with a message",
        arguments: [
            (["FILTER": "XYZ"], "FILTER=XYZ selects none"), (["BENCH_SCALE": "much"], "BENCH_SCALE=much is not a size"),
            (["BENCH_SCALE": "1/0"], "BENCH_SCALE=1/0 is not a size"),
            (["BENCH_RUNS": "0"], "BENCH_RUNS=0 is not a number of runs"),
        ])
    func invalidChoicesAreRefused(environment: [String: String], message: String) throws {
        let outcome = try run(environment)
        #expect(outcome.code == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
    }
}
