import CoreData
import TestBasics
import Testing

/// `-com.apple.CoreData.SQLDebug`, each time in a process of its own.
@Suite(.timeLimit(.minutes(20))) struct SQLDebugTests {
    private static let name = "com.apple.CoreData.SQLDebug"

    /// What the program of the tests writes while it saves a row of the count 4711 and fetches it.
    private func errors(_ name: String, _ value: String, environment: [String: String] = [:]) throws -> [String] {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
            .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("StoreChild")
        process.arguments = ["log", folder.url.appendingPathComponent("Log.sqlite").path, name, value]
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        let files = ["output", "errors"].map { folder.url.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit(within: .seconds(60))
        #expect(process.terminationStatus == 0)
        #expect(try String(decoding: Data(contentsOf: files[0]), as: UTF8.self) == "1\n")
        return try String(decoding: Data(contentsOf: files[1]), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    @Test("the argument of the command line asks for it as on Apple's platforms (TOOL-18, TOOL-19)")
    func argumentOfCommandLineAsksForItAsOnApplesPlatforms() throws {
        let lines = try errors("-" + Self.name, "1")
        #expect(lines.allSatisfy { $0.hasPrefix("CoreData: ") })
        func place(_ text: String) -> Int { lines.firstIndex { $0.contains(text) } ?? -1 }
        // In the order of a first launch: tables, a row of Z_PRIMARYKEY, metadata, the new row, the fetch.
        let places = [
            "BEGIN EXCLUSIVE", "CREATE TABLE ZROW", "INSERT INTO Z_PRIMARYKEY", "INTO Z_METADATA", "COMMIT",
            "INSERT INTO ZROW", "WHERE t0.ZCOUNT = ?",
        ].map(place)
        #expect(
            places.allSatisfy { $0 >= 0 } && places == places.sorted(), "\(places)\n\(lines.joined(separator: "\n"))")
        #expect(lines.last?.hasSuffix("s for 1 rows.") == true)
        #expect(!lines.contains { $0.contains("4711") })
    }

    @Test("values are logged at level 3 alone, kinds at 2, plans at 4 (TOOL-18)", arguments: [2, 3, 4])
    func valuesAreLoggedAtLevel3Alone(level: Int) throws {
        let lines = try errors("-" + Self.name, "\(level)")
        #expect(lines.contains { $0.contains("= (integer)") } == (level == 2))
        #expect(lines.contains { $0.contains("SQLite bind[") && $0.hasSuffix("= 4711") } == (level >= 3))
        #expect(lines.contains { $0.contains("query plan: `--") } == (level == 4))
        // The bytes of the model and of the metadata are values too.
        #expect(lines.contains { $0.contains("<62706c69") } == (level >= 3))
    }

    @Test("the environment asks for it too, and goes before the argument (TOOL-19)")
    func environmentAsksForItToo() throws {
        #expect(try !errors("-none", "0", environment: [Self.name: "1"]).isEmpty)
        #expect(try errors("-" + Self.name, "3", environment: [Self.name: "0"]).isEmpty)
    }

    @Test("nothing is logged by default (TOOL-18)", arguments: ["0", "NO", "nonsense", "-1"])
    func offByDefault(value: String) throws {
        #expect(try errors("-" + Self.name, value) == [])
    }

    @Test("standard error can be switched off (TOOL-19)")
    func standardErrorCanBeSwitchedOff() throws {
        let switched = ["com.apple.CoreData.Logging.stderr": "0"]
        #expect(try errors("-" + Self.name, "3", environment: switched) == [])
        let on = ["com.apple.CoreData.Logging.stderr": "1"]
        #expect(try !errors("-" + Self.name, "YES", environment: on).isEmpty)
    }
}
