import Foundation
import Testing

/// Runs programs on the search path for tests, such as the Swift compiler.
public enum Toolchain {
    /// A program that could not be run, or that a test needed to succeed.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        package init(description: String) { self.description = description }
    }

    /// The `Modules` folder of this build, next to the test executable; nil if it is not there.
    public static var modules: URL? {
        let program = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
        let folder = program.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("Modules")
        let module = folder.appendingPathComponent("CoreData.swiftmodule").path
        return FileManager.default.fileExists(atPath: module) ? folder : nil
    }

    /// The compiler flags to import the library: the folder of its modules, and the module maps of its C modules.
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

    /// The URL of a program on the search path.
    public static func url(_ program: String) throws -> URL {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        guard let found else { throw Failure(description: "\(program) is not installed") }
        return found
    }

    /// Runs a program for at most twenty minutes; returns its exit status and its standard output and error together.
    public static func run(_ program: String, _ arguments: [String]) throws -> (code: Int32, output: String) {
        let process = Process()
        process.executableURL = try url(program)
        process.arguments = arguments
        // A package that a test builds needs the complete library, even if `OPENCOREDATA_TESTS` limited this build.
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

    /// Runs a program and returns its output; throws `Failure` unless its exit status is 0.
    @discardableResult
    public static func output(_ program: String, _ arguments: [String]) throws -> String {
        let (code, output) = try run(program, arguments)
        guard code == 0 else { throw Failure(description: "\(program) left with \(code): \(output)") }
        return output
    }
}
