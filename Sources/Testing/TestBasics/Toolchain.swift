import Foundation
import Testing

/// The programs that tests run: the compiler that made them, and what stands beside it on the search path.
public enum Toolchain {
    /// A program that could not be run, or that a test needed to succeed.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        package init(description: String) { self.description = description }
    }

    /// The folder of the modules of this build, beside the tests' own program; nil where builds put it elsewhere.
    public static var modules: URL? {
        let program = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        let folder = program.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("Modules")
        let module = folder.appendingPathComponent("CoreData.swiftmodule").path
        return FileManager.default.fileExists(atPath: module) ? folder : nil
    }

    /// What the compiler needs to see the library: its modules, and the C modules that they are made of.
    public static func flags(modules: URL) -> [String] {
        let maps = ["CSQLite", "CZlib", "CSwiftRuntime"].flatMap { module -> [String] in
            let own = sources.appendingPathComponent("System/\(module)/include/module.modulemap").path
            let made = modules.deletingLastPathComponent().appendingPathComponent("\(module).build/module.modulemap")
            let map = FileManager.default.fileExists(atPath: own) ? own : made.path
            return ["-Xcc", "-fmodule-map-file=\(map)"]
        }
        return ["-I", modules.path] + maps
    }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// Where a program is that the search path has.
    public static func url(_ program: String) throws -> URL {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw Failure(description: "\(program) is not installed") }
        return found
    }

    /// Runs a program to its end, twenty minutes at most, and gives what it left with and what it printed.
    public static func run(_ program: String, _ arguments: [String]) throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = try url(program)
        process.arguments = arguments
        // A package that a test builds depends on the complete library, whatever the build of the tests left out.
        process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "OPENCOREDATA_TESTS" }
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        var text = ""
        process.waitUntilExit(within: .seconds(1_200)) {
            text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        }
        return (process.terminationStatus, text)
    }

    /// What a program printed that must succeed.
    @discardableResult
    public static func output(_ program: String, _ arguments: [String]) throws -> String {
        let (code, output) = try run(program, arguments)
        guard code == 0 else { throw Failure(description: "\(program) left with \(code): \(output)") }
        return output
    }
}
