import CoreDataSourceScanning
import CoreDataTestSupport
import Testing

/// The programs that the tests run.
enum Toolchain {
    /// Where a program is that the search path has.
    static func url(_ program: String) throws -> URL {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let found = folders.map { URL(fileURLWithPath: String($0)).appendingPathComponent(program) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
        return try #require(found, "\(program) is not installed")
    }

    /// Runs a program to its end and gives what it printed; fails the test where it fails.
    @discardableResult
    static func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = try url(program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program): \(text)")
        return text
    }
}
