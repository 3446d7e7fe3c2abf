import CoreData
import TestBasics
import Testing

/// The built program, run as a child process.
enum Tool {
    /// What a run left.
    struct Outcome {
        let code: Int32
        /// Whether a signal ended the process: it crashed, or was killed for taking too long.
        let wasKilled: Bool
        let output: String
        let errors: String

        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }

        /// The output read as JSON.
        func json<Value>(as: Value.Type = Value.self) throws -> Value {
            let value = try JSONSerialization.jsonObject(with: Data(output.utf8), options: .fragmentsAllowed)
            return try #require(value as? Value, "the output is \(type(of: value))")
        }
    }

    /// The executable, which is built beside the tests.
    static let url = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("coredata")

    private static let timeLimit: Duration = .seconds(60)

    /// Runs the program; one that takes longer than a minute is killed.
    static func run(
        _ arguments: String..., environment: [String: String] = [:], output: FileHandle? = nil
    ) throws -> Outcome {
        try run(arguments, environment: environment, output: output)
    }

    /// Runs the program through a shell, which finds it as `$0` and its arguments as `$@`.
    static func run(_ arguments: [String], script: String) throws -> Outcome {
        try run(["-c", script, url.path] + arguments, program: URL(fileURLWithPath: "/bin/sh"))
    }

    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = "", output: FileHandle? = nil,
        program: URL = url
    ) throws -> Outcome {
        let folder = try Scratch.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = ["output", "errors", "input"].map { folder.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        let process = Process()
        try Data(input.utf8).write(to: files[2])
        process.executableURL = program
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "COLUMNS" }
            .merging(environment) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: files[2])
        process.standardOutput = try output ?? FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit(within: timeLimit)
        return Outcome(
            code: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            output: String(decoding: try Data(contentsOf: files[0]), as: UTF8.self),
            errors: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self))
    }
}

/// Folders for single tests.
enum Scratch {
    static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "coredata-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}

/// The names and bytes of a folder's files, to see that nothing changed.
///
/// Of an `-shm` only the name counts: it is shared memory in which SQLite keeps its locks, and no part of the store.
struct FolderState: Equatable {
    private let files: [String: Data]

    init(around file: URL) throws {
        let folder = file.deletingLastPathComponent()
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            files[name] =
                name.hasSuffix("-shm") ? Data() : (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
        }
        self.files = files
    }
}

/// What every refusal looks like: exit code 1, one line on standard error, nothing on standard output.
func expectRefusal(
    _ outcome: Tool.Outcome, containing texts: String..., sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(outcome.code == 1, sourceLocation: sourceLocation)
    #expect(!outcome.wasKilled, sourceLocation: sourceLocation)
    #expect(outcome.output == "", sourceLocation: sourceLocation)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)", sourceLocation: sourceLocation)
    #expect(outcome.errors.hasPrefix("coredata: "), sourceLocation: sourceLocation)
    for text in texts { #expect(outcome.errors.contains(text), "\(outcome.errors)", sourceLocation: sourceLocation) }
}
